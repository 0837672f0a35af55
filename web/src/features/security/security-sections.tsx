import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation } from 'react-router-dom';
import { toast } from 'sonner';
import type { z } from 'zod';
import { changePasswordSchema, type Me } from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';
import { useMe } from '#web/lib/session.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { withConfirmation } from '#web/lib/with-confirmation.ts';
import { Button } from '#web/ui/button.tsx';
import { CredentialFields } from '#web/ui/credential-fields.tsx';
import { Dialog, DialogForm } from '#web/ui/dialog.tsx';
import { NewPasswordFields } from '#web/ui/new-password-fields.tsx';
import { Section } from '#web/ui/section.tsx';
import { AccountProtection } from './account-protection.tsx';
import { ActivityLog } from './activity-log.tsx';
import { changePassword } from './api.ts';
import { Passkeys } from './passkeys.tsx';
import { SessionList } from './session-list.tsx';
import { TwoFactor } from './two-factor.tsx';

/** How well the account is protected, password, passkeys, two-factor sign-in, sessions, the settings that are passed in, and the activity log. */
export function SecuritySections({ me, privacySettings }: { me: Me; privacySettings: ReactNode }) {
  return (
    <>
      <AccountProtection email={me.user.email} />
      <SignInSection twoFactor={me.user.twoFactorEnabled} />
      <SessionList />
      {privacySettings}
      <ActivityLog enabled={me.settings.activityLogging} />
    </>
  );
}

function SignInSection({ twoFactor }: { twoFactor: boolean }) {
  // Password managers open this page to change the password (server/plugins/well-known.ts).
  const { hash, key } = useLocation();
  const asked = hash === '#change-password';
  const [dialogOpen, setDialogOpen] = useState(asked);
  const [openedAt, setOpenedAt] = useState(key);
  if (key !== openedAt) {
    // The reminder leads here from this page as well.
    setOpenedAt(key);
    if (asked) setDialogOpen(true);
  }
  return (
    <Section id="sign-in" title="Sign-in">
      <div className="grid gap-6">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <div className="min-w-0 flex-[1_1_16rem]">
            <h3 className="font-medium">Password</h3>
            <p className="text-sm text-ink-soft">Changing it signs you out on all other devices.</p>
          </div>
          <Button variant="secondary" onClick={() => setDialogOpen(true)}>
            Change password
          </Button>
          {dialogOpen && <PasswordDialog onClose={() => setDialogOpen(false)} />}
        </div>
        <Passkeys twoFactor={twoFactor} />
        <TwoFactor enabled={twoFactor} />
      </div>
    </Section>
  );
}

const formSchema = withConfirmation(changePasswordSchema, 'newPassword');
type PasswordForm = z.input<typeof formSchema>;

/** Changes the password. */
function PasswordDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm<PasswordForm>({
    resolver: zodResolver(formSchema),
    defaultValues: { password: '', newPassword: '', confirmation: '' },
  });
  const { data: me } = useMe();
  const mutation = useFormMutation(
    form,
    ({ password, newPassword }) => changePassword({ password, newPassword }),
    {
      fields: { WRONG_PASSWORD: 'password', PASSWORD_COMMON: 'newPassword', PASSWORD_REUSED: 'newPassword' },
      onSuccess: () => {
        client.invalidateQueries({ queryKey: queryKeys.me });
        client.invalidateQueries({ queryKey: queryKeys.sessions });
        client.invalidateQueries({ queryKey: queryKeys.activity });
        toast.success('Your password was changed.');
        onClose();
      },
    },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title="Change your password"
      description="You'll be signed out on all other devices."
    >
      <DialogForm mutation={mutation} submitLabel="Change password" onCancel={onClose}>
        <CredentialFields
          username={me?.user.email ?? ''}
          label="Current password"
          password={registerField(form, 'password')}
        />
        <NewPasswordFields
          value={form.watch('newPassword')}
          password={registerField(form, 'newPassword')}
          confirmation={registerField(form, 'confirmation')}
        />
      </DialogForm>
    </Dialog>
  );
}
