import type { OperatorNow, OperatorSeries } from '#contract';

/** What the charts show of this moment, besides what was stored of past minutes. */
type LiveFigures = Pick<OperatorNow, 'at' | 'queue' | 'oldestWaiting'> & {
  workers: readonly unknown[];
  servers: readonly Pick<OperatorNow['servers'][number], 'sockets'>[];
};

/**
 * The points of the charts with those of this moment, so that they move with every event of the socket: the last step gets
 * the larger of its figure and the current one, and a step that has begun since is added.
 */
export function liveSeries(series: OperatorSeries, now: LiveFigures): OperatorSeries {
  const { times } = series;
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined || times.length < 2) return series;
  const step = times[1]! - first;
  const begin = Math.floor(Date.parse(now.at) / 1_000 / step) * step;
  // An event from before the series was read.
  if (begin < last) return series;
  const added = (begin - last) / step;
  const figures = figuresOf(now);
  const points = Object.entries(series).map(([name, known]) => {
    const list = [...known, ...Array<null>(added).fill(null)];
    const figure = figures[name as keyof OperatorSeries];
    if (name !== 'times' && typeof figure === 'number') list.push(Math.max(list.pop() ?? 0, figure));
    return [name, list.slice(added)];
  });
  return {
    ...Object.fromEntries(points),
    times: times.map((_, index) => first + (index + added) * step),
  } as OperatorSeries;
}

function figuresOf({
  queue,
  oldestWaiting,
  workers,
  servers,
}: LiveFigures): Partial<Record<keyof OperatorSeries, number>> {
  return {
    ...(queue && {
      waiting: queue.waiting,
      running: queue.running,
      delayed: queue.delayed,
      failedJobs: queue.failed,
    }),
    oldestWaiting,
    workers: workers.length,
    sockets: servers.reduce((sum, { sockets }) => sum + sockets, 0),
  };
}
