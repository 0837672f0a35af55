import { Field, type FieldProps } from './field.tsx';

/** The seller's email address. `autoComplete` defaults to `username`, so that password managers save it. */
export function EmailField({ label = 'Email', ...props }: Omit<FieldProps, 'label'> & { label?: string }) {
  return <Field label={label} type="email" autoComplete="username" required {...props} />;
}
