import clsx from 'clsx';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** A line of a chart. */
export interface ChartLine {
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
export function Chart({ title, className, times, lines }: ChartProps) {
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
        ...{ label, stroke: token(color), width: 2, spanGaps: false },
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
