import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { toast } from 'sonner';
import type { z } from 'zod';
import { changePasswordSchema } from '#contract';
import { withConfirmation } from '#web/lib/confirmation.ts';
import { useFormCall } from '#web/lib/form-call.ts';
import { keys } from '#web/lib/generations/cache.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { NewPasswordFields } from '#web/ui/new-password-fields.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { changePassword } from './api/change-password.ts';

const formSchema = withConfirmation(changePasswordSchema, 'newPassword');
type PasswordForm = z.input<typeof formSchema>;

/** Changes the password; the current one is asked for. */
export function PasswordDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={(now) => !now && onClose()}
      title="Change your password"
      description="Every other device that is signed in is signed out at once."
    >
      <ChangeForm onClose={onClose} />
    </Dialog>
  );
}

function ChangeForm({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm<PasswordForm>({
    resolver: zodResolver(formSchema),
    defaultValues: { password: '', newPassword: '', confirmation: '' },
  });
  const { errors } = form.formState;
  const { submit, isPending, problem } = useFormCall(
    form,
    ({ password, newPassword }) => changePassword({ password, newPassword }),
    {
      fields: { WRONG_PASSWORD: 'password', PASSWORD_COMMON: 'newPassword', PASSWORD_REUSED: 'newPassword' },
      onDone: () => {
        client.invalidateQueries({ queryKey: keys.sessions });
        client.invalidateQueries({ queryKey: keys.activity });
        toast.success('Your password is changed.');
        onClose();
      },
    },
  );
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {problem && <Notice tone="danger">{problem}</Notice>}
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        required
        error={errors.password?.message}
        {...form.register('password')}
      />
      <NewPasswordFields
        password={form.watch('newPassword')}
        passwordInput={form.register('newPassword')}
        confirmationInput={form.register('confirmation')}
        passwordError={errors.newPassword?.message}
        confirmationError={errors.confirmation?.message}
      />
      <DialogButtons>
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton busy={isPending} busyLabel="Saving...">
          Change password
        </SubmitButton>
      </DialogButtons>
    </form>
  );
}
