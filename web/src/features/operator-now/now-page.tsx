import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { alertNames, type OperatorNow, operatorNowSchema, pages } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Figures } from '#web/ui/figures.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { OperatorHeading } from '#web/ui/operator-heading.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { fetchNow } from './api.ts';
import { Charts } from './charts.tsx';
import { durationText } from './duration-text.ts';
import { Processes } from './processes.tsx';
import { ProviderState } from './provider-state.tsx';
import { Stores } from './stores.tsx';

/** The socket brings it more often; this makes up for lost events. */
const refetchMs = 15_000;

/** How the installation is now and was before. */
export function NowPage() {
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.operatorNow,
    queryFn: ({ signal }) => fetchNow(signal),
    refetchInterval: refetchMs,
    // What the socket brings is not validated when it arrives.
    select: (view) => operatorNowSchema.parse(view),
  });
  return (
    <>
      <OperatorHeading>Now</OperatorHeading>
      {!data && !error && <ListSkeleton />}
      {error && <ListError error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <Alerts now={data} />
          <NowFigures now={data} />
          <Failures now={data} />
          <ProviderState provider={data.provider} at={data.at} />
          <Processes now={data} />
          <Stores now={data} />
        </>
      )}
      <Charts now={data} />
    </>
  );
}

function Alerts({ now: { alerts } }: { now: OperatorNow }) {
  const dates = useDates();
  return alerts.map(({ kind, since, details, runbook }) => (
    <Notice key={kind} tone="danger">
      {alertNames[kind]}, since {dates.shortDateTime(since)}.
      <span className="block font-normal">{details}</span>
      <span className="block font-normal">What to do: {runbook}</span>
    </Notice>
  ));
}

function NowFigures({ now }: { now: OperatorNow }) {
  const { queue, oldestWaiting, imagesPerMinute, latency, images } = now;
  const jobs = (count: number | undefined) => count ?? '–';
  return (
    <Section
      id="figures"
      title="Images"
      lead={queue?.paused ? 'An operator paused the queue: workers take no jobs.' : undefined}
    >
      <Figures
        items={[
          { name: 'Waiting', value: jobs(queue?.waiting) },
          { name: 'Running', value: jobs(queue?.running) },
          { name: 'Delayed', value: jobs(queue?.delayed) },
          { name: 'Failed jobs', value: jobs(queue?.failed) },
          { name: 'Oldest waiting', value: oldestWaiting === 0 ? '–' : durationText(oldestWaiting) },
          { name: 'Images a minute', value: imagesPerMinute },
          { name: 'Images in the last hour', value: images },
          { name: 'Median time per image', value: latency ? durationText(latency.p50) : '–' },
          { name: '95th percentile', value: latency ? durationText(latency.p95) : '–' },
        ]}
      />
      <p className="mt-5 text-sm text-ink-soft">
        Images a minute are averaged over the last 5 minutes, times over the last hour. The oldest waiting
        image and the times leave out batches.
      </p>
    </Section>
  );
}

function Failures({ now: { failures } }: { now: OperatorNow }) {
  return (
    <Section id="failures" title="Failed images by cause" lead="In the last hour.">
      {failures.length === 0 ? (
        <p className="text-ink-soft">None.</p>
      ) : (
        <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1.5 text-[0.9375rem]">
          {failures.map(({ cause, count }) => (
            <div key={cause} className="contents">
              <dt className="break-words">
                <Link
                  to={`${pages.operator}/generations?failure=${cause}`}
                  className="underline underline-offset-2"
                >
                  {cause}
                </Link>
              </dt>
              <dd className="font-semibold tabular-nums">{count}</dd>
            </div>
          ))}
        </dl>
      )}
      <Link
        to={`${pages.operator}/queue`}
        className="mt-4 inline-block text-[0.9375rem] underline underline-offset-2"
      >
        Pause the queue
      </Link>
    </Section>
  );
}
