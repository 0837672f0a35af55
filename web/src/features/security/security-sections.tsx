import { type ReactNode, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Me } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/section.tsx';
import { AccountProtection } from './account-protection.tsx';
import { ActivityLog } from './activity-log.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordDialog } from './password-dialog.tsx';
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
  const asked = useLocation().hash === '#change-password';
  const [dialogOpen, setDialogOpen] = useState(asked);
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
          <PasswordDialog open={dialogOpen} onClose={() => setDialogOpen(false)} />
        </div>
        <Passkeys twoFactor={twoFactor} />
        <TwoFactor enabled={twoFactor} />
      </div>
    </Section>
  );
}
