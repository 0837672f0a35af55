import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { OperatorNow, OperatorSeries, OperatorSeriesRange } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { fetchSeries } from './api.ts';
import { Chart, type ChartLine } from './chart.tsx';
import { liveSeries } from './live-series.ts';

const ranges: readonly { value: OperatorSeriesRange; label: string }[] = [
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
];

/** One point of an hour is a minute. */
const refetchMs = 30_000;

interface ShownChart {
  title: string;
  lines: readonly (Omit<ChartLine, 'points'> & { of: Exclude<keyof OperatorSeries, 'times'> })[];
}

const charts: readonly ShownChart[] = [
  {
    title: 'Jobs',
    lines: [
      { label: 'waiting', color: '--accent', of: 'waiting' },
      { label: 'running', color: '--good', of: 'running' },
      { label: 'delayed', color: '--ink-soft', of: 'delayed', dash: [6, 4] },
      { label: 'failed', color: '--danger', of: 'failedJobs', dash: [2, 3] },
    ],
  },
  { title: 'Images a minute', lines: [{ label: 'images', color: '--good', of: 'imagesPerMinute' }] },
  {
    title: 'Time per image, in seconds',
    lines: [
      { label: 'median', color: '--good', of: 'latencyP50' },
      { label: '95th percentile', color: '--accent', of: 'latencyP95', dash: [6, 4] },
    ],
  },
  {
    title: 'Oldest waiting, in seconds',
    lines: [{ label: 'oldest', color: '--accent', of: 'oldestWaiting' }],
  },
  { title: 'Failed images', lines: [{ label: 'failed', color: '--danger', of: 'failures' }] },
  {
    title: 'Sockets',
    lines: [{ label: 'sockets', color: '--accent', of: 'sockets' }],
  },
  {
    title: 'Workers',
    lines: [{ label: 'workers', color: '--good', of: 'workers' }],
  },
];

/** The charts, over a range that the operator chooses. @param now what the socket brought last; undefined before that */
export function Charts({ now }: { now: OperatorNow | undefined }) {
  const [range, setRange] = useState<OperatorSeriesRange>('1h');
  const { data, error, refetch } = useQuery({
    queryKey: ['operator', 'series', range],
    queryFn: ({ signal }) => fetchSeries(range, signal),
    refetchInterval: refetchMs,
    placeholderData: (previous) => previous,
  });
  const shown = useMemo(() => (data && now ? liveSeries(data, now) : data), [data, now]);
  return (
    <Section
      id="charts"
      title="Charts"
      trailing={
        <div className="flex flex-wrap gap-1">
          {ranges.map(({ value, label }) => (
            <Button
              key={value}
              variant={value === range ? 'secondary' : 'quiet'}
              aria-pressed={value === range}
              onClick={() => setRange(value)}
            >
              {label}
            </Button>
          ))}
        </div>
      }
    >
      {!data && !error && <ListSkeleton />}
      {error && <ListError error={error} onRetry={() => void refetch()} />}
      {shown && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-8 md:grid-cols-2">
          {charts.map(({ title, lines }, index) => (
            <Chart
              key={title}
              className={index === 0 ? 'md:col-span-2' : ''}
              title={title}
              times={shown.times}
              lines={lines.map(({ of, ...line }) => ({ ...line, points: shown[of] }))}
            />
          ))}
        </div>
      )}
    </Section>
  );
}
