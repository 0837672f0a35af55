import { dollarsText, type OperatorNow } from '#contract';
import { durationBetween } from '#web/lib/durations.ts';
import { Notice } from './notice.tsx';
import { Figures } from './operator.tsx';

/** What is said of queue and provider, the same on every page. */
type State = Pick<OperatorNow, 'at' | 'queue' | 'provider' | 'budgetStop'>;

const breakers: Readonly<Record<OperatorNow['provider']['breaker'], string>> = {
  closed: 'closed: calls are made',
  open: 'open: no calls are made',
  'half-open': 'half-open: single calls probe whether it works again',
};

export const pauseReasons = {
  busy: 'it is busy',
  connection: 'it cannot be reached, or fails',
  account: 'it refuses our account',
} as const;

/** The breaker to the image provider, and for how long it has been so. */
export function breakerText({ provider: { breaker, since }, at }: Pick<State, 'provider' | 'at'>): string {
  return since ? `${breakers[breaker]}, for ${durationBetween(since, at)}` : breakers[breaker];
}

/** Why workers take no jobs, or only some. Nothing while they take all. */
function reasonOf({ at, queue, provider, budgetStop }: State): string | null {
  if (queue?.paused) return 'An operator paused the queue: workers take no jobs.';
  if (budgetStop) {
    return `The calls of today cost ${dollarsText(budgetStop.total)}: the next one would pass the daily cap. Images wait until midnight UTC, in ${durationBetween(at, budgetStop.until)}, or until workers start with a larger cap.`;
  }
  const { breaker, until, kind } = provider;
  if (breaker !== 'closed' || until) {
    const because = kind ? ` because ${pauseReasons[kind]}` : '';
    const next = until ? ` The next one is in ${durationBetween(at, until)}.` : '';
    return `Calls to the image provider pause${because}. Breaker ${breakerText({ provider, at })}.${next}`;
  }
  if (queue?.held) return 'The calls to the image provider are used up for a moment: workers wait.';
  return null;
}

/** Says that workers take no jobs, or only some, and why. */
export function QueueNotice(state: State) {
  const reason = reasonOf(state);
  return (
    reason !== null && (
      <div className="mb-5">
        <Notice tone="info">{reason}</Notice>
      </div>
    )
  );
}

/** The numbers of jobs, before other figures. */
export function JobFigures({
  queue,
  others = [],
}: {
  queue: OperatorNow['queue'];
  others?: { name: string; value: string | number }[];
}) {
  const jobs = (count: number | undefined) => count ?? '–';
  return (
    <Figures
      items={[
        { name: 'Waiting', value: jobs(queue?.waiting) },
        { name: 'Running', value: jobs(queue?.running) },
        { name: 'Delayed', value: jobs(queue?.delayed) },
        { name: 'Failed jobs', value: jobs(queue?.failed) },
        ...others,
      ]}
    />
  );
}
