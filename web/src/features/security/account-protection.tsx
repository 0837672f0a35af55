import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleArrowUp, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { type Protection, type ProtectionName, pages, paths, protectionSchema } from '#contract';
import { callApi } from '#web/lib/api.ts';
import { useDates } from '#web/lib/dates.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { ListError } from '#web/ui/list-status.tsx';
import { Name } from '#web/ui/name.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';

/** How well the account is protected, what would raise that, and what would help. */
export function AccountProtection({ email }: { email: string }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: queryKeys.protection,
    queryFn: ({ signal }) => callApi('GET', paths.protection, protectionSchema, { signal }),
    refetchOnMount: 'always',
  });
  return (
    <Section
      id="protection"
      title="Account protection"
      lead={data && levelTexts[data.level]}
      trailing={data && <Level level={data.level} />}
    >
      {isPending && <ListSkeleton rows={3} />}
      {error && <ListError error={error} onRetry={() => refetch()} />}
      {data && <Steps protection={data} email={email} />}
    </Section>
  );
}

const levelTexts: Readonly<Record<Protection['level'], string>> = {
  standard: 'Your password alone protects your account.',
  high: 'A stolen password alone lets nobody in.',
};

function Level({ level }: Pick<Protection, 'level'>) {
  const isHigh = level === 'high';
  return (
    <p
      className={`rounded-full px-3 py-1 text-sm font-semibold ${isHigh ? 'bg-good-wash text-good' : 'bg-sunken text-ink'}`}
    >
      {isHigh ? 'High' : 'Standard'}
    </p>
  );
}

/** First what raises the level, then what would help, then what is done. */
function Steps({ protection, email }: { protection: Protection; email: string }) {
  const { steps } = protection;
  const ordered = (['raises', 'advised', 'done'] as const).flatMap((state) =>
    steps.filter((step) => step.state === state),
  );
  const texts = useStepTexts(protection, email);
  return (
    <ul className="-my-3 divide-y divide-line">
      {ordered.map(({ name, state }) => (
        <li key={name} className="flex flex-wrap items-start gap-x-3.5 gap-y-1 py-3">
          <StepIcon state={state} />
          <div className="min-w-0 flex-1">
            <p className="font-medium">{state === 'done' ? texts[name].done : texts[name].todo}</p>
            {state !== 'done' && <p className="text-sm text-ink-soft">{texts[name].why}</p>}
          </div>
          {state !== 'done' && (
            <Link
              to={texts[name].to}
              className="inline-flex min-h-11 items-center font-semibold text-accent underline underline-offset-3 max-sm:w-full max-sm:pl-8.5 sm:-my-2"
            >
              {texts[name].action}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}

const stepIcons = {
  raises: { Icon: CircleArrowUp, className: 'text-accent', label: 'Raises your protection:' },
  advised: { Icon: CircleAlert, className: 'text-accent', label: 'Recommended:' },
  done: { Icon: CircleCheck, className: 'text-good', label: 'Done:' },
} as const;

function StepIcon({ state }: { state: Protection['steps'][number]['state'] }) {
  const { Icon, className, label } = stepIcons[state];
  return (
    <>
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${className}`} />
      <span className="sr-only">{label}</span>
    </>
  );
}

interface StepText {
  done: ReactNode;
  todo: ReactNode;
  why: string;
  /** Where it is done, and the words of the link there. */
  to: string;
  action: string;
}

function useStepTexts(protection: Protection, email: string): Record<ProtectionName, StepText> {
  const dates = useDates();
  const { recoveryCodes, passwordChangedAt } = protection;
  const codesLeft = recoveryCodes === 1 ? '1 recovery code' : `${recoveryCodes || 'No'} recovery codes`;
  const signIn = `${pages.security}#sign-in`;
  return {
    'second-factor': {
      done: `Second factor: ${factorsOf(protection)}`,
      todo: 'Add a passkey or an authenticator app',
      why: 'Raises your protection to High: a stolen password alone then lets nobody in.',
      to: signIn,
      action: 'Add one',
    },
    'recovery-codes': {
      done: `${codesLeft} left`,
      todo: `${codesLeft} left`,
      why: "Without them, you're locked out when you lose your phone or passkey.",
      to: signIn,
      action: 'Get new codes',
    },
    'reachable-address': {
      done: (
        <>
          Email confirmed: <Name>{email}</Name>
        </>
      ),
      todo: (
        <>
          Our email doesn't reach you at <Name>{email}</Name>
        </>
      ),
      why: "You'd miss a warning, and a link for a new password.",
      to: pages.profile,
      action: 'Change email',
    },
    'security-emails': {
      done: 'Emails about new devices are on',
      todo: 'Turn on security emails',
      why: "You aren't told when someone signs in on a new device.",
      to: `${pages.security}#privacy`,
      action: 'Turn on',
    },
    'recent-password': {
      done: `Password changed on ${dates.day(passwordChangedAt)}`,
      todo: 'Change your password',
      why: "It's more than a year old. Choose one that you use nowhere else.",
      to: signIn,
      action: 'Change it',
    },
  };
}

/** Such as "authenticator app and 2 passkeys". */
function factorsOf({ app, passkeys }: Protection): string {
  const counted = passkeys === 1 ? 'passkey' : `${passkeys} passkeys`;
  return [...(app ? ['authenticator app'] : []), ...(passkeys > 0 ? [counted] : [])].join(' and ');
}
