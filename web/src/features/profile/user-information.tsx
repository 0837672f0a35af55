import { type ReactNode, useState } from 'react';
import type { UserView } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { Button } from '#web/ui/button.tsx';
import { Name } from '#web/ui/name.tsx';
import { Section } from '#web/ui/section.tsx';
import { EmailDialog } from './email-dialog.tsx';
import { NameDialog } from './name-dialog.tsx';

interface Row {
  label: string;
  value: ReactNode;
  /** Opens the dialog that changes it. */
  onChange?: () => void;
}

/** Name, email, sign-up date and status of the account. */
export function UserInformation({ user }: { user: UserView }) {
  const dates = useDates();
  const [open, setOpen] = useState<'name' | 'email' | null>(null);
  const rows: Row[] = [
    {
      label: 'Name',
      value: <Name>{user.fullName || user.displayName}</Name>,
      onChange: () => setOpen('name'),
    },
    { label: 'Email', value: <Name>{user.email}</Name>, onChange: () => setOpen('email') },
    { label: 'Member since', value: dates.day(user.memberSince) },
    {
      label: 'Account status',
      // Always active: sellers whose account is locked or unverified are not signed in.
      value: (
        <span className="rounded-full bg-good-wash px-3 py-1 text-sm font-semibold text-good">Active</span>
      ),
    },
  ];
  return (
    <Section id="account" title="User information">
      <dl className="divide-y divide-line">
        {rows.map(({ label, value, onChange }) => (
          <div
            key={label}
            className="grid min-h-14 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-2 sm:grid-cols-[10rem_minmax(0,1fr)_auto]"
          >
            <dt className="text-sm text-ink-soft max-sm:col-start-1">{label}</dt>
            <dd className="font-medium max-sm:col-start-1">{value}</dd>
            {onChange && (
              <dd className="max-sm:col-start-2 max-sm:row-span-2 max-sm:row-start-1">
                <Button
                  variant="quiet"
                  className="-mr-3"
                  aria-label={`Change ${label.toLowerCase()}`}
                  onClick={onChange}
                >
                  Change
                </Button>
              </dd>
            )}
          </div>
        ))}
      </dl>
      <NameDialog open={open === 'name'} onClose={() => setOpen(null)} fullName={user.fullName} />
      <EmailDialog
        open={open === 'email'}
        onClose={() => setOpen(null)}
        currentEmail={user.email}
        twoFactor={user.twoFactorEnabled}
      />
    </Section>
  );
}
