import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useEffect, useMemo, useRef, useState } from 'react';
import UPlot from 'uplot';
import type { OperatorNow, OperatorSeries, OperatorSeriesRange } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { fetchSeries } from './api.ts';
import { liveSeries } from './live-series.ts';
import 'uplot/dist/uPlot.min.css';

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

/** A line of a chart. */
interface ChartLine {
  label: string;
  /** A design token, such as `--accent`. */
  color: string;
  /** Lengths of its dashes and gaps, so that lines differ by more than their colour. */
  dash?: number[];
  points: readonly (number | null)[];
}

interface ChartProps {
  title: string;
  className?: string;
  /** Seconds since 1970. */
  times: readonly number[];
  lines: readonly ChartLine[];
}

const height = 180;

/** Steps between the labels of figures, most of which are counts: 1, 2, 5, 10 and so on. */
const wholeNumbers = Array.from({ length: 9 }, (_, power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
).flat();

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** A chart over time with a legend, drawn by uPlot. Screen readers get the last known figure of each line. */
function Chart({ title, className, times, lines }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  const latest = useRef({ times, lines });
  latest.current = { times, lines };

  useEffect(() => {
    const element = box.current!;
    const draw = () => {
      plot.current?.destroy();
      plot.current = new UPlot(
        optionsOf(latest.current.lines, element.clientWidth),
        dataOf(latest.current.times, latest.current.lines),
        element,
      );
    };
    draw();
    const resized = new ResizeObserver(() => {
      if (element.clientWidth > 0) plot.current?.setSize({ width: element.clientWidth, height });
    });
    resized.observe(element);
    // A canvas does not follow the colours of the theme.
    const themed = new MutationObserver(draw);
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      resized.disconnect();
      themed.disconnect();
      plot.current?.destroy();
    };
  }, []);

  useEffect(() => plot.current?.setData(dataOf(times, lines)), [times, lines]);

  const now = lines.map(
    ({ label, points }) => `${label} ${points.findLast((point) => point !== null) ?? '–'}`,
  );
  return (
    <figure className={clsx('min-w-0', className)}>
      <figcaption>
        <h3 className="font-semibold">{title}</h3>
        <ul className="mt-1 flex flex-wrap gap-x-4 text-sm text-ink-soft">
          {lines.map(({ label, color, dash }, index) => (
            <li key={label} className="flex items-center gap-1.5">
              <span
                aria-hidden
                className="w-4 border-t-2"
                style={{ borderColor: `var(${color})`, borderTopStyle: dash ? 'dashed' : 'solid' }}
              />
              {now[index]}
            </li>
          ))}
        </ul>
      </figcaption>
      <div ref={box} aria-hidden className="mt-2 overflow-hidden" style={{ height }} />
    </figure>
  );
}

function dataOf(times: readonly number[], lines: readonly ChartLine[]): UPlot.AlignedData {
  return [[...times], ...lines.map(({ points }) => [...points])];
}

function optionsOf(lines: readonly ChartLine[], width: number): UPlot.Options {
  const axis = {
    stroke: token('--ink-soft'),
    grid: { stroke: token('--line'), width: 1 },
    ticks: { stroke: token('--line'), width: 1 },
    font: '12px sans-serif',
  };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { drag: { setScale: false } },
    scales: { y: { range: (_plot, _least, most) => [0, Math.max(1, (most ?? 0) * 1.1)] } },
    axes: [
      { ...axis, values: (_plot, splits, _axis, _space, step) => splits.map((at) => timeLabel(at, step)) },
      { ...axis, size: 44, incrs: wholeNumbers },
    ],
    series: [
      {},
      ...lines.map(({ label, color, dash }) => ({
        label,
        stroke: token(color),
        width: 2,
        spanGaps: false,
        // A point between two gaps would be invisible.
        points: { show: lines[0]!.points.length < 100, size: 3, fill: token(color) },
        ...(dash && { dash }),
      })),
    ],
  };
}

/** @param step seconds between two labels */
function timeLabel(at: number, step: number): string {
  const moment = new Date(at * 1_000);
  const language = document.documentElement.lang;
  return step >= 86_400
    ? moment.toLocaleDateString(language, { day: 'numeric', month: 'short' })
    : moment.toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' });
}
