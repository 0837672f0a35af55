import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { type AddressOnly, addressOnlySchema } from '#contract';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { EmailField } from '#web/ui/email-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';

interface RequestLinkFormProps {
  initialEmail?: string;
  hint?: string;
  submitLabel: string;
  /** Requests the mail. */
  call: (email: string) => Promise<void>;
  onSent: (email: string) => void;
}

/** A form with an email address that requests a link by mail. */
export function RequestLinkForm(props: RequestLinkFormProps) {
  const { initialEmail = '', hint, submitLabel, call, onSent } = props;
  const form = useForm<AddressOnly>({
    resolver: zodResolver(addressOnlySchema),
    defaultValues: { email: initialEmail },
  });
  const { submit, isPending, formError } = useFormMutation(form, ({ email }) => call(email), {
    onSuccess: (_reply, { email }) => onSent(email),
  });
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {formError && <Notice tone="danger">{formError}</Notice>}
      <EmailField hint={hint} {...registerField(form, 'email')} />
      <SubmitButton busy={isPending} busyLabel="Sending...">
        {submitLabel}
      </SubmitButton>
    </form>
  );
}
