import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import {
  type DeleteAccount,
  deleteAccountSchema,
  liveStatuses,
  type Me,
  passwordAndCodeSchema,
  plans,
} from '#contract';
import { useFormCall } from '#web/lib/form-call.ts';
import { endSession, setLeaving } from '#web/lib/session.ts';
import { Button } from '#web/ui/button.tsx';
import { CodeField } from '#web/ui/code-field.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { deleteAccount } from './api/delete-account.ts';

interface DeleteAccountDialogProps {
  open: boolean;
  onClose: () => void;
  me: Me;
}

/** Says what goes with the account, and asks for what protects it. */
export function DeleteAccountDialog({ open, onClose, me }: DeleteAccountDialogProps) {
  const { subscription } = me;
  const subscribed = liveStatuses.includes(subscription.status);
  return (
    <Dialog
      open={open}
      onOpenChange={(now) => !now && onClose()}
      title="Delete your account?"
      description={
        <ul className="ml-5 grid list-disc gap-1.5">
          <li>Your photos and images are deleted: download what you want to keep first.</li>
          {subscribed && (
            <li>
              Your {plans[subscription.plan].name} subscription ends at once. What is left of it is not paid
              back.
            </li>
          )}
          <li>Nobody can undo this, not even us.</li>
        </ul>
      }
    >
      <DeleteForm twoFactor={me.user.twoFactorEnabled} onClose={onClose} />
    </Dialog>
  );
}

function DeleteForm({ twoFactor, onClose }: { twoFactor: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm<DeleteAccount>({
    resolver: zodResolver(twoFactor ? passwordAndCodeSchema : deleteAccountSchema),
    defaultValues: twoFactor ? { password: '', code: '' } : { password: '' },
  });
  const { errors } = form.formState;
  const { submit, isPending, problem } = useFormCall(
    form,
    (values) => {
      setLeaving('deleted');
      return deleteAccount(values);
    },
    {
      fields: { WRONG_PASSWORD: 'password', CODE_REQUIRED: 'code', CODE_INVALID: 'code' },
      onDone: () => endSession(client, 'deleted'),
      onFailed: () => setLeaving(null),
    },
  );
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {problem && <Notice tone="danger">{problem}</Notice>}
      <PasswordField
        label="Password"
        autoComplete="current-password"
        required
        error={errors.password?.message}
        {...form.register('password')}
      />
      {twoFactor && <CodeField error={errors.code?.message} {...form.register('code')} />}
      <DialogButtons>
        <Button look="secondary" onClick={onClose}>
          Keep my account
        </Button>
        <SubmitButton
          busy={isPending}
          busyLabel="Deleting..."
          className="bg-danger! text-page! not-disabled:hover:opacity-90"
        >
          Delete for good
        </SubmitButton>
      </DialogButtons>
    </form>
  );
}
