import { randomInt } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { bucketOf, type Histogram, merge, percentile, totalOf } from '#shared/platform/histogram.ts';
import { ownRange, rangeOfMany, waitingRange } from '#shared/views/time-left.ts';
import { createRandom } from '#tests/support/random.ts';

const seed = randomInt(2 ** 31);
console.log(`time-left.test.ts: seed ${seed}`);

const nextOf = (start: number) => createRandom(start).next;

/** A duration around a median, in ms; `spread` is the deviation of its logarithm. */
function logNormal(random: () => number, median: number, spread: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return median * Math.exp(spread * normal);
}

const histogramOf = (durations: readonly number[]): Histogram =>
  merge(durations.map((ms) => new Map([[bucketOf(ms), 1]])));

test('percentiles are exact within the width of a bucket', () => {
  const durations = Array.from({ length: 10_000 }, (_, index) => 1_000 + index * 5);
  const histogram = histogramOf(durations);
  expect(totalOf(histogram)).toBe(10_000);
  for (const fraction of [0.05, 0.1, 0.5, 0.9, 0.95]) {
    const exact = durations[Math.floor(fraction * 10_000)]!;
    expect(Math.abs(percentile(histogram, fraction) / exact - 1)).toBeLessThan(0.05);
  }
  expect(percentile(histogramOf([30_000]), 0.5)).toBeGreaterThan(27_000);
  expect(bucketOf(0)).toBe(0);
  expect(bucketOf(1e12)).toBe(bucketOf(3_600_000));
});

/** How long the images of a day take, in ms. @param time fraction of the day */
const days: Record<string, (random: () => number, time: number) => number> = {
  'nearly the same': (random) => logNormal(random, 30_000, 0.1),
  'widely spread': (random) => logNormal(random, 25_000, 0.6),
  'two kinds': (random) => logNormal(random, random() < 0.7 ? 12_000 : 60_000, 0.2),
  'slower in the evening': (random, time) => logNormal(random, 20_000 * (1 + time), 0.3),
};

describe.each(Object.entries(days))('durations: %s', (_name, duration) => {
  /** Images that are made one after the other. @returns the fraction that ended in the range of their start */
  function shareInside(rangeOf: (histogram: Histogram) => { from: number; to: number }): number {
    const random = nextOf(seed);
    const measured: number[] = [];
    let inside = 0;
    let shown = 0;
    let range: { from: number; to: number } | undefined;
    for (let index = 0; index < 2_000; index += 1) {
      // Read again every few images, as the server's cache does.
      if (index % 20 === 5) range = rangeOf(histogramOf(measured));
      const ms = duration(random, index / 2_000);
      if (range) {
        shown += 1;
        if (ms >= range.from && ms <= range.to) inside += 1;
      }
      measured.push(ms);
    }
    return inside / shown;
  }

  test('at least 80 % end inside the range that was shown at their start', () => {
    expect(shareInside(ownRange)).toBeGreaterThan(0.8);
  });

  test('in the range from the median to the 90th percentile they would not', () => {
    const narrow = (histogram: Histogram) => ({
      from: percentile(histogram, 0.5),
      to: percentile(histogram, 0.9),
    });
    expect(shareInside(narrow)).toBeLessThan(0.6);
  });

  test.each([1, 4, 16])('so do those that wait in a queue for %i slots', (slots) => {
    const random = nextOf(seed + slots);
    const hours = Array.from({ length: 24 }, (_, hour) =>
      histogramOf(Array.from({ length: 80 }, () => duration(random, (hour + random()) / 24))),
    );
    const durations = merge(hours);
    let inside = 0;
    const rounds = 600;
    for (let round = 0; round < rounds; round += 1) {
      const time = random();
      // All slots are busy, with images that began some time ago.
      const free = Array.from({ length: slots }, () => duration(random, time) * random());
      const before = Math.floor(random() * 40);
      for (let index = 0; index < before; index += 1) {
        const next = free.indexOf(Math.min(...free));
        free[next] = free[next]! + duration(random, time);
      }
      const ends = Math.min(...free) + duration(random, time);
      const hour = Math.floor(time * 24);
      const recent = merge(hours.slice(Math.max(0, hour - 1), hour + 1));
      const { from, to } = waitingRange(durations, recent, before + 1, slots);
      if (ends >= from && ends <= to) inside += 1;
    }
    expect(inside / rounds).toBeGreaterThan(0.8);
  });

  test.each([1, 4])('the end of a batch on %i slots is in its range', (slots) => {
    const random = nextOf(seed - slots);
    const durations = histogramOf(Array.from({ length: 2_000 }, () => duration(random, 0.5)));
    let inside = 0;
    for (let round = 0; round < 200; round += 1) {
      const free = Array.from({ length: slots }, () => 0);
      for (let index = 0; index < 60; index += 1) {
        const next = free.indexOf(Math.min(...free));
        free[next] = free[next]! + duration(random, 0.5);
      }
      const { from, to } = rangeOfMany(durations, 60, slots);
      if (Math.max(...free) >= from && Math.max(...free) <= to) inside += 1;
    }
    expect(inside / 200).toBeGreaterThan(0.8);
  });
});
