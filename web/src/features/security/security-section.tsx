import { useState } from 'react';
import type { Me } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/section.tsx';
import { ActivityLog } from './activity-log.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { SessionList } from './session-list.tsx';
import { TwoFactor } from './two-factor.tsx';

/** What protects the account: password, second factor, open sessions, and what happened lately. */
export function SecuritySection({ me }: { me: Me }) {
  const [changing, setChanging] = useState(false);
  return (
    <Section id="security" title="Security">
      <div className="grid gap-6">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <div className="min-w-0 flex-[1_1_16rem]">
            <h3 className="font-medium">Password</h3>
            <p className="text-sm text-ink-soft">A change signs out every other device.</p>
          </div>
          <Button look="secondary" onClick={() => setChanging(true)}>
            Change password
          </Button>
          <PasswordDialog open={changing} onClose={() => setChanging(false)} />
        </div>
        <TwoFactor enabled={me.user.twoFactorEnabled} />
        <SessionList />
        <ActivityLog kept={me.settings.activityLogging} />
      </div>
    </Section>
  );
}
