import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { toast } from 'sonner';
import { alertNames, type OperatorNow, pages } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { durationBetween, durationText } from '#web/lib/durations.ts';
import { useOperatorNow } from '#web/lib/operator-now.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Facts, OperatorHeading, ReasonDialog } from '#web/ui/operator.tsx';
import { breakerText, JobFigures, pauseReasons, QueueNotice } from '#web/ui/operator-state.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { tryProvider } from './api.ts';
import { Charts } from './charts.tsx';
import { Processes } from './processes.tsx';

/** How the installation is now and was before. */
export function NowPage() {
  const { data, error, refetch } = useOperatorNow();
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
  return (
    <Section id="figures" title="Images">
      <QueueNotice {...now} />
      <JobFigures
        queue={queue}
        others={[
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

interface ProviderStateProps {
  provider: OperatorNow['provider'];
  /** When it was read. */
  at: string;
}

/** Limiter and breaker of the image provider, and the way to end a pause. */
function ProviderState({ provider, at }: ProviderStateProps) {
  const client = useQueryClient();
  const [asked, setAsked] = useState(false);
  const { until, kind, cause, refusedCalls, modelProblem, limiter } = provider;
  const limited = (used: number, limit: number) => (limit === 0 ? 'no limit' : `${used} of ${limit}`);
  const facts: (readonly [name: string, value: string])[] = [
    ['Breaker', breakerText({ provider, at })],
    ['Calls in the last minute', limited(limiter.used, limiter.perMinute)],
    ['Calls under way', limited(limiter.running, limiter.inFlight)],
  ];
  if (kind) facts.push(['Paused because', pauseReasons[kind]]);
  if (cause) facts.push(['Last refusal', cause]);
  if (modelProblem) facts.push(['When a worker started', modelProblem]);
  if (refusedCalls > 0) facts.push(['Refused calls', String(refusedCalls)]);
  if (until) facts.push(['Next call in', durationBetween(at, until)]);
  if (limiter.waitsUntil) facts.push(['Accepts more calls in', durationBetween(at, limiter.waitsUntil)]);
  return (
    <Section
      id="provider"
      title="Image provider"
      trailing={
        until && (
          <Button variant="secondary" onClick={() => setAsked(true)}>
            Try again now
          </Button>
        )
      }
    >
      <Facts items={facts} />
      {asked && (
        <ReasonDialog
          title="Try the provider again now"
          description="The pause ends: the next job calls the provider. If it refuses, a new pause begins. No image is lost."
          submitLabel="Try again now"
          run={tryProvider}
          onDone={(now) => {
            client.setQueryData<OperatorNow>(queryKeys.operatorNow, now);
            toast.success('The next job calls the provider.');
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </Section>
  );
}

const names: Readonly<Record<OperatorNow['stores'][number]['store'], string>> = {
  mongodb: 'MongoDB',
  queue: 'Queue',
  storage: 'Storage',
  mail: 'Mail server',
};

/** Which stores work, and the last error of those that do not. */
function Stores({ now: { stores, at } }: { now: OperatorNow }) {
  return (
    <Section id="stores" title="Stores">
      <ul className="grid gap-4 sm:grid-cols-2">
        {stores.map(({ store, works, error, since, processes, warning }) => {
          const Icon = works ? CircleCheck : CircleAlert;
          return (
            <li key={store} className="flex items-start gap-2.5">
              <Icon aria-hidden className={`mt-1 size-4 shrink-0 ${works ? 'text-good' : 'text-danger'}`} />
              <div className="min-w-0">
                <p className="font-semibold">
                  {names[store]} <span className="font-normal">{works ? 'works' : 'fails'}</span>
                </p>
                {!works && (
                  <p className="text-sm break-words text-danger">
                    {since && `For ${durationBetween(since, at)}`}
                    {processes > 1 && `, in ${processes} processes`}: {error}
                  </p>
                )}
                {warning !== null && <p className="text-sm break-words text-danger">{warning}</p>}
              </div>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
