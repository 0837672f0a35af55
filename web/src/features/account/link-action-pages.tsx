import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { pages } from '#contract';
import { usePage } from '#web/lib/page.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { confirmReachable, keepTwoFactor, unlock, unsubscribe } from './api.ts';
import { LinkAction, LinkDone, LinkExpired } from './link-page.tsx';
import { useLinkToken } from './use-link-token.ts';

/** Target of the link in a mail about a locked account: unlocks it. */
export function UnlockPage() {
  return (
    <LinkActionPage
      title="Unlock your account"
      lead="You can then sign in again in this browser and on this network. If you didn't enter the wrong passwords, no action is needed."
      label="Unlock my account"
      busyLabel="Unlocking..."
      call={unlock}
      done={{
        title: 'Your account is unlocked',
        lead: "You can sign in again in this browser. If you didn't try to sign in, we recommend choosing a new password.",
      }}
      expired={{
        lead: 'It was already used or is too old. You can also unlock your account by setting a new password.',
        to: '/forgot-password',
        label: 'Set a new password',
      }}
    />
  );
}

/** Target of the link in a mail about two-factor sign-in that our support is to turn off: keeps it. */
export function KeepTwoFactorPage() {
  return (
    <LinkActionPage
      title="Keep two-factor sign-in"
      lead="Someone told our support that they own your account and cannot enter a code any more."
      label="Keep two-factor sign-in on"
      busyLabel="One moment..."
      call={keepTwoFactor}
      done={{
        title: 'Two-factor sign-in stays on',
        lead: "If you didn't ask us to turn it off, someone else did. We recommend choosing a new password.",
      }}
      expired={{
        lead: 'It was already used, or two-factor sign-in is no longer to be turned off.',
        to: pages.login,
        label: 'Sign in',
      }}
    />
  );
}

/** Target of the link in the mail to an address whose mail came back: confirms that mail arrives. */
export function ConfirmReachablePage() {
  return (
    <LinkActionPage
      title="Confirm that our email reaches you"
      lead="Our email to this address came back before."
      label="Confirm my email"
      busyLabel="Confirming..."
      call={confirmReachable}
      done={{ title: 'Thanks, that worked', lead: "You'll get our email again." }}
      expired={{
        lead: 'It was already used or is too old. You can ask for another one in your account settings.',
        to: pages.profile,
        label: 'Open your account settings',
      }}
    />
  );
}

/** Target of the link in mails about images that have ended: turns them off. */
export function UnsubscribePage() {
  return (
    <LinkActionPage
      title="Turn off these emails"
      lead="You'll get no more emails when an image is ready. Emails about your account and your payments still come."
      label="Turn off these emails"
      busyLabel="One moment..."
      call={unsubscribe}
      done={{
        title: 'These emails are off',
        lead: 'You can turn them on again in your settings at any time.',
      }}
      expired={{
        lead: 'It may have been cut off. You can also turn these emails off in your settings.',
        to: pages.preferences,
        label: 'Open your settings',
      }}
    />
  );
}

interface LinkActionPageProps
  extends Pick<ComponentProps<typeof LinkAction>, 'title' | 'lead' | 'label' | 'busyLabel'> {
  /** Uses the link. */
  call: (token: string) => Promise<void>;
  done: Omit<ComponentProps<typeof LinkDone>, 'headingRef'>;
  expired: Omit<ComponentProps<typeof LinkExpired>, 'headingRef'>;
}

/** A page behind the link of a mail, with one button. */
function LinkActionPage({ title, lead, label, busyLabel, call, done, expired }: LinkActionPageProps) {
  const headingRef = usePage(title);
  const client = useQueryClient();
  const token = useLinkToken();
  const [state, setState] = useState<'button' | 'done' | 'expired'>(token === '' ? 'expired' : 'button');
  if (state === 'done') return <LinkDone headingRef={headingRef} {...done} />;
  if (state === 'expired') return <LinkExpired headingRef={headingRef} {...expired} />;
  return (
    <LinkAction
      headingRef={headingRef}
      title={title}
      lead={lead}
      label={label}
      busyLabel={busyLabel}
      call={() => call(token)}
      onDone={() => {
        client.invalidateQueries({ queryKey: queryKeys.me });
        setState('done');
      }}
      onRefused={(code) => {
        if (code === 'TOKEN_INVALID') setState('expired');
      }}
    />
  );
}
