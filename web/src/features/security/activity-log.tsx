import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ActivityKind, type ActivityView, limits } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { listActivity } from './api.ts';

/** Number of entries while the list is collapsed. */
const collapsedCount = 6;

/** Recent activity in the account. @param enabled whether the seller has the activity log turned on */
export function ActivityLog({ enabled }: { enabled: boolean }) {
  return (
    <Section
      id="activity"
      title="Activity"
      lead={
        enabled
          ? `What happened in your account in the last ${limits.activityDays} days.`
          : 'The activity log is off. You can turn it on under "Sign-in & privacy".'
      }
    >
      {enabled && <ActivityList />}
    </Section>
  );
}

function ActivityList() {
  const [expanded, setExpanded] = useState(false);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: queryKeys.activity,
    queryFn: ({ signal }) => listActivity(signal),
    refetchOnMount: 'always',
  });
  const activities = data?.activities ?? [];
  const shown = expanded ? activities : activities.slice(0, collapsedCount);
  return (
    <>
      {isPending && <ListSkeleton rows={collapsedCount} />}
      {error && <ListError error={error} onRetry={() => refetch()} />}
      <ul className="divide-y divide-line">
        {shown.map((activity) => (
          <ActivityItem key={activity.id} activity={activity} />
        ))}
      </ul>
      {activities.length > collapsedCount && (
        <Button
          variant="secondary"
          className="mt-3"
          aria-expanded={expanded}
          onClick={() => setExpanded(!expanded)}
        >
          {expanded ? 'Show less' : `Show all ${activities.length}`}
        </Button>
      )}
    </>
  );
}

function ActivityItem({ activity }: { activity: ActivityView }) {
  const { device, address, at } = activity;
  const dates = useDates();
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 py-2.5 text-[0.9375rem]">
      <span className="min-w-0 flex-[1_1_14rem]">
        {activityLabel(activity)}
        <span className="block text-sm text-ink-soft">
          {device}, {address}
        </span>
      </span>
      <time dateTime={at} className="text-sm whitespace-nowrap text-ink-soft">
        {dates.shortDateTime(at)}
      </time>
    </li>
  );
}

/** The texts of the activity log. */
const labels: Readonly<Record<ActivityKind, string>> = {
  'signed-up': 'Signed up',
  'signed-in': 'Signed in',
  'sign-in-failed': 'Wrong password or code',
  'signed-out': 'Signed out',
  'signed-out-everywhere': 'Signed out everywhere',
  'locked-out': 'Locked after too many wrong passwords or codes',
  unlocked: 'Unlocked',
  'name-changed': 'Name changed',
  'password-changed': 'Password changed',
  'password-reset': 'Password reset with a link from an email',
  'email-change-asked': 'Change of email requested',
  'email-changed': 'Email changed',
  'email-change-undone': 'Change of email undone',
  'two-factor-on': 'Two-factor sign-in turned on',
  'two-factor-off': 'Two-factor sign-in turned off',
  'recovery-code-used': 'Recovery code used',
  'recovery-codes-made': 'New recovery codes created',
  'passkey-added': 'Passkey added',
  'passkey-removed': 'Passkey removed',
  'api-key-made': 'API key made',
  'api-key-revoked': 'API key revoked',
  'webhook-made': 'Webhook set up',
  'settings-changed': 'Settings changed',
  'data-exported': 'Data exported',
  'plan-changed': 'Plan changed',
};

const isKnown = (kind: string): kind is ActivityKind => Object.hasOwn(labels, kind);

/** The text of a line of the activity log. */
function activityLabel({ kind, newKind = kind }: Pick<ActivityView, 'kind' | 'newKind'>): string {
  return labels[isKnown(newKind) ? newKind : kind];
}
