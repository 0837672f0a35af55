import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { limits } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { useDates } from '#web/lib/dates.ts';
import { keys } from '#web/lib/generations/cache.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { activityLabel } from './activity-labels.ts';
import { listActivity } from './api/list-activity.ts';

/** Lines that are shown at first. */
const few = 6;

/** What happened in the account lately. @param kept whether the seller has it kept at all */
export function ActivityLog({ kept }: { kept: boolean }) {
  const dates = useDates();
  const [all, setAll] = useState(false);
  const { data, error } = useQuery({
    queryKey: [...keys.activity, kept],
    queryFn: ({ signal }) => listActivity(signal),
    enabled: kept,
    refetchOnMount: 'always',
  });
  const activities = data?.activities ?? [];
  const shown = all ? activities : activities.slice(0, few);
  return (
    <div className="border-t border-line pt-6">
      <h3 className="font-medium">Activity</h3>
      <p className="text-sm text-ink-soft">
        {kept
          ? `What happened in your account in the last ${limits.activityDays} days.`
          : 'You have turned the activity log off under Settings.'}
      </p>
      {kept && !data && !error && (
        <p role="status" className="mt-3 flex min-h-14 items-center gap-2 text-sm text-ink-soft">
          <Spinner /> Loading…
        </p>
      )}
      {kept && error && (
        <div className="mt-3">
          <Notice tone="danger">{messageOf(error)}</Notice>
        </div>
      )}
      {kept && (
        <ul className="mt-2 divide-y divide-line">
          {shown.map(({ id, kind, device, address, at }) => (
            <li
              key={id}
              className="flex flex-wrap items-baseline justify-between gap-x-4 py-2.5 text-[0.9375rem]"
            >
              <span className="min-w-0 flex-[1_1_14rem]">
                {activityLabel[kind]}
                <span className="block text-sm text-ink-soft">
                  {device}, {address}
                </span>
              </span>
              <time dateTime={at} className="text-sm whitespace-nowrap text-ink-soft">
                {dates.shortMoment(at)}
              </time>
            </li>
          ))}
        </ul>
      )}
      {kept && activities.length > few && (
        <Button look="secondary" className="mt-3" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show less' : `Show all ${activities.length}`}
        </Button>
      )}
    </div>
  );
}
