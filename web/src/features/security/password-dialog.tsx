import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { toast } from 'sonner';
import type { z } from 'zod';
import { changePasswordSchema } from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';
import { useMe } from '#web/lib/session.ts';
import { useFormMutation } from '#web/lib/use-form-mutation.ts';
import { withConfirmation } from '#web/lib/with-confirmation.ts';
import { CredentialFields } from '#web/ui/credential-fields.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { NewPasswordFields } from '#web/ui/new-password-fields.tsx';
import { changePassword } from './api.ts';

const formSchema = withConfirmation(changePasswordSchema, 'newPassword');
type PasswordForm = z.input<typeof formSchema>;

/** Changes the password. */
export function PasswordDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Change your password"
      description="You'll be signed out on all other devices."
    >
      <ChangePasswordForm onClose={onClose} />
    </Dialog>
  );
}

function ChangePasswordForm({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm<PasswordForm>({
    resolver: zodResolver(formSchema),
    defaultValues: { password: '', newPassword: '', confirmation: '' },
  });
  const { errors } = form.formState;
  const { data: me } = useMe();
  const { submit, isPending, formError } = useFormMutation(
    form,
    ({ password, newPassword }) => changePassword({ password, newPassword }),
    {
      fields: { WRONG_PASSWORD: 'password', PASSWORD_COMMON: 'newPassword', PASSWORD_REUSED: 'newPassword' },
      onSuccess: () => {
        client.invalidateQueries({ queryKey: queryKeys.sessions });
        client.invalidateQueries({ queryKey: queryKeys.activity });
        toast.success('Your password was changed.');
        onClose();
      },
    },
  );
  return (
    <DialogForm
      onSubmit={submit}
      formError={formError}
      busy={isPending}
      submitLabel="Change password"
      busyLabel="Saving..."
      onCancel={onClose}
    >
      <CredentialFields
        username={me?.user.email ?? ''}
        label="Current password"
        passwordInput={form.register('password')}
        passwordError={errors.password?.message}
      />
      <NewPasswordFields
        password={form.watch('newPassword')}
        passwordInput={form.register('newPassword')}
        confirmationInput={form.register('confirmation')}
        passwordError={errors.newPassword?.message}
        confirmationError={errors.confirmation?.message}
      />
    </DialogForm>
  );
}
