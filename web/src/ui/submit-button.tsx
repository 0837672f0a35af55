import type { ComponentProps } from 'react';
import { Button, type ButtonVariant } from './button.tsx';
import { Spinner } from './spinner.tsx';

interface SubmitButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  busy: boolean;
  /** Its label while busy, for example `Saving...`. */
  busyLabel: string;
}

/** A button with a spinner while its action is in progress; `type` defaults to `submit`. */
export function SubmitButton({ busy, busyLabel, children, disabled, ...rest }: SubmitButtonProps) {
  return (
    <Button type="submit" disabled={busy || disabled} {...rest}>
      {busy && <Spinner />}
      {busy ? busyLabel : children}
    </Button>
  );
}
