import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { type ChangeEmail, changeEmailSchema, limits } from '../../../../shared/contract/index.ts';
import { useFormCall } from '../../lib/form-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { changeEmail } from './api/change-email.ts';

interface EmailDialogProps {
  open: boolean;
  onClose: () => void;
  current: string;
}

/** Moves the account to another address, once the link that is sent there was opened. */
export function EmailDialog({ open, onClose, current }: EmailDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(now) => !now && onClose()}
      title="Change your email"
      description={`You sign in with ${current} until the new address is confirmed.`}
    >
      <EmailForm onClose={onClose} />
    </Dialog>
  );
}

function EmailForm({ onClose }: { onClose: () => void }) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm<ChangeEmail>({
    resolver: zodResolver(changeEmailSchema),
    defaultValues: { email: '', password: '' },
  });
  const { errors } = form.formState;
  const { submit, isPending, problem } = useFormCall(form, changeEmail, {
    fields: { WRONG_PASSWORD: 'password' },
    onDone: (_reply, { email }) => setSentTo(email),
  });
  if (sentTo !== null) {
    return (
      <>
        <Notice tone="good">
          We have written to {sentTo}. Open the link in that mail within {limits.verificationHours} hours to
          confirm it.
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
