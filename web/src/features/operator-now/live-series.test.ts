import { expect, test } from 'vitest';
import type { OperatorSeries } from '#contract';
import { liveSeries } from './live-series.ts';

const none = [null, null, null];
const series: OperatorSeries = {
  times: [600, 660, 720],
  waiting: [5, null, 2],
  running: [1, 1, 9],
  delayed: none,
  failedJobs: none,
  oldestWaiting: none,
  sockets: none,
  workers: none,
  imagesPerMinute: [3, 4, 5],
  failures: [0, 1, 0],
  latencyP50: none,
  latencyP95: none,
};
const now = {
  at: new Date(750_000).toISOString(),
  queue: { paused: false, held: false, waiting: 7, running: 3, delayed: 0, failed: 1 },
  oldestWaiting: 12,
  workers: [{}, {}],
  servers: [{ sockets: 4 }, { sockets: 6 }],
};

test('the step that is under way has the larger of its figure and the current one', () => {
  expect(liveSeries(series, now)).toEqual({
    ...series,
    waiting: [5, null, 7],
    running: [1, 1, 9],
    delayed: [null, null, 0],
    failedJobs: [null, null, 1],
    oldestWaiting: [null, null, 12],
    workers: [null, null, 2],
    sockets: [null, null, 10],
  });
});

test('a step that has begun since is added, and the first one leaves', () => {
  const later = liveSeries(series, { ...now, at: new Date(781_000).toISOString() });
  expect(later).toMatchObject({
    times: [660, 720, 780],
    waiting: [null, 2, 7],
    running: [1, 9, 3],
    imagesPerMinute: [4, 5, null],
  });
});

test('without a queue, and with an event from before the series was read, what is stored stays', () => {
  expect(liveSeries(series, { ...now, queue: null })).toMatchObject({
    waiting: [5, null, 2],
    workers: [null, null, 2],
  });
  expect(liveSeries(series, { ...now, at: new Date(700_000).toISOString() })).toBe(series);
});
