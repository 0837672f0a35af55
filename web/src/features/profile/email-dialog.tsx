import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { type ChangeEmail, changeEmailSchema, limits, passwordAndCodeSchema } from '#contract';
import { useFormCall } from '#web/lib/form-call.ts';
import { Button } from '#web/ui/button.tsx';
import { CodeField } from '#web/ui/code-field.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { changeEmail } from './api/change-email.ts';

interface EmailDialogProps {
  open: boolean;
  onClose: () => void;
  current: string;
  /** Whether two-factor sign-in is on: then a code is asked for. */
  twoFactor: boolean;
}

/** Moves the account to another address, once the link that is sent there was opened. */
export function EmailDialog({ open, onClose, current, twoFactor }: EmailDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(now) => !now && onClose()}
      title="Change your email"
      description={`You sign in with ${current} until the new address is confirmed.`}
    >
      <EmailForm onClose={onClose} twoFactor={twoFactor} />
    </Dialog>
  );
}

function EmailForm({ onClose, twoFactor }: Pick<EmailDialogProps, 'onClose' | 'twoFactor'>) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm<ChangeEmail>({
    resolver: zodResolver(
      twoFactor ? changeEmailSchema.extend(passwordAndCodeSchema.shape) : changeEmailSchema,
    ),
    defaultValues: twoFactor ? { email: '', password: '', code: '' } : { email: '', password: '' },
  });
  const { errors } = form.formState;
  const { submit, isPending, problem } = useFormCall(form, changeEmail, {
    fields: { WRONG_PASSWORD: 'password', CODE_REQUIRED: 'code', CODE_INVALID: 'code' },
    onDone: (_reply, { email }) => setSentTo(email),
  });
  if (sentTo !== null) {
    return (
      <>
        <Notice tone="good">
          We sent a link to {sentTo}. Open it within {limits.verificationHours} hours and enter your password
          to confirm the address.
        </Notice>
        <DialogButtons>
          <Button autoFocus onClick={onClose}>
            Done
          </Button>
        </DialogButtons>
      </>
    );
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {problem && <Notice tone="danger">{problem}</Notice>}
      <Field
        label="New email"
        type="email"
        autoComplete="email"
        required
        error={errors.email?.message}
        {...form.register('email')}
      />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        required
        error={errors.password?.message}
        {...form.register('password')}
      />
      {twoFactor && <CodeField error={errors.code?.message} {...form.register('code')} />}
      <DialogButtons>
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton busy={isPending} busyLabel="Sending...">
          Send the link
        </SubmitButton>
      </DialogButtons>
    </form>
  );
}
