import type { TimeLeft, WaitReason } from '#contract';
import { findCostDay } from '#shared/data/costs/provider-costs.ts';
import type { Db } from '#shared/data/db.ts';
import type { ShownGeneration } from '#shared/data/generations/find.ts';
import { runningNow } from '#shared/data/generations/queue-position.ts';
import { type DurationRow, listDurations } from '#shared/data/queue/durations.ts';
import { findProviderPause } from '#shared/data/queue/provider-pauses.ts';
import { countSlots } from '#shared/data/queue/worker-slots.ts';
import { nextDay } from '#shared/platform/days.ts';
import { type Histogram, merge, momentsOf, percentile, totalOf } from '#shared/platform/histogram.ts';

/** From when to when something takes. */
export interface TimeRange {
  from: number;
  to: number;
}

/** The ends of a range: of those measured, this fraction was faster than the first, and slower than the second. */
const outside = 0.05;
/** The same as a multiple of the standard deviation, for sums of many durations. */
const deviations = 1.65;

/** How long an image takes once it has begun. */
export function ownRange(own: Histogram): TimeRange {
  return { from: percentile(own, outside), to: percentile(own, 1 - outside) };
}

/**
 * How long until an image that waits is finished: it begins when so many others have ended.
 * @param own durations of images like it
 * @param queue recent durations of all images: what adds up must not be from another time of the day
 * @param ahead how many must end before it begins: those before it, less the free slots, and itself; 0 if a slot is free
 * @param slots images that are made at the same time
 */
export function waitingRange(own: Histogram, queue: Histogram, ahead: number, slots: number): TimeRange {
  const self = ownRange(own);
  if (ahead <= 0) return self;
  const { mean, deviation } = momentsOf(queue);
  const wait = ((ahead - 0.5) * mean) / slots;
  // Durations add up; and it is unknown how far the images in the slots are, which matters less the more slots there are.
  const phase = (0.5 * mean) / Math.sqrt(slots + 2);
  const spread = deviations * Math.hypot((Math.sqrt(ahead) * deviation) / slots, phase);
  const { mean: ownMean, deviation: ownDeviation } = momentsOf(own);
  const early = wait + ownMean - Math.hypot(spread, deviations * ownDeviation);
  const late = wait + ownMean + Math.hypot(spread, self.to - ownMean);
  return { from: Math.max(self.from, early), to: Math.max(self.to, late) };
}

/**
 * How long until many images are finished that have all slots for themselves.
 * @param count those that have not ended
 */
export function rangeOfMany(durations: Histogram, count: number, slots: number): TimeRange {
  const { mean, deviation } = momentsOf(durations);
  const whole = (count * mean) / slots;
  const spread = (deviations * Math.sqrt(count) * deviation) / slots;
  return { from: Math.max(0, whole - spread), to: whole + spread + ownRange(durations).to };
}

/* When images are expected, from what was measured in the last day. */

/** What the estimates of a process are made from, read together. */
interface Reading {
  /** Durations of the current model. */
  rows: DurationRow[];
  slots: number;
  /** Whether the image provider accepts no calls at the moment. */
  isPaused: boolean;
  /** Whether images in the queue wait for the image provider: it accepts no calls, or is only probed. */
  isAway: boolean;
  /** Until when no image begins, because the calls of today cost as much as they may; null if images begin. */
  stoppedUntil: Date | null;
  /** When it was read, from `performance.now()`. */
  at: number;
}

/** How long a reading is used, in ms. Reading it costs four queries, whose answers are small. */
const ageMostMs = 5_000;

/** Fewer durations than this say nothing. */
const fewest = 5;

/** Recent durations are used for the line if there are so many; else those of the whole day. */
const fewestRecent = 20;
const recentMs = 2 * 3_600_000;

/** What a process knows, and what it is reading. */
interface EstimateCache {
  last?: Reading;
  underWay?: Promise<Reading> | undefined;
  running?: Promise<number> | undefined;
}
const caches = new WeakMap<Db, EstimateCache>();

function cacheOf(db: Db): EstimateCache {
  const known = caches.get(db) ?? {};
  caches.set(db, known);
  return known;
}

/** How many images are made now. One reading is for all that ask at the same time, as the rows of a list do. */
function madeNow(db: Db): Promise<number> {
  const known = cacheOf(db);
  known.running ??= runningNow(db).finally(() => {
    known.running = undefined;
  });
  return known.running;
}

async function currentReading(db: Db): Promise<Reading> {
  const known = cacheOf(db);
  if (known.last && performance.now() - known.last.at < ageMostMs) return known.last;
  known.underWay ??= read(db)
    .then((reading) => {
      known.last = reading;
      return reading;
    })
    .finally(() => {
      known.underWay = undefined;
    });
  return known.underWay;
}

async function read(db: Db): Promise<Reading> {
  const at = performance.now();
  const now = new Date();
  const [all, slots, pause, day] = await Promise.all([
    listDurations(db),
    countSlots(db),
    findProviderPause(db),
    findCostDay(db, now),
  ]);
  // The operator may have changed the model in the last day.
  const model = all.at(-1)?.model;
  const rows = all.filter((row) => row.model === model);
  const isPaused = pause !== null && pause.until > now;
  const stoppedUntil = day?.stopped_at ? nextDay(now) : null;
  return { rows, slots, isPaused, isAway: isPaused || pause?.opened_at !== undefined, stoppedUntil, at };
}

/** What images in the queue wait for besides their turn, as known a few seconds ago at most; null for nothing. */
export async function findHoldUp(db: Db): Promise<WaitReason | null> {
  const { isAway, stoppedUntil } = await currentReading(db);
  if (isAway) return 'provider';
  return stoppedUntil && stoppedUntil > new Date() ? 'worker' : null;
}

const histogramOf = (rows: readonly DurationRow[]): Histogram =>
  merge(
    rows.map(
      ({ counts }) => new Map(Object.entries(counts).map(([bucket, count]) => [Number(bucket), count])),
    ),
  );

/** Durations of images like this one, else of all; undefined when too few were measured. */
function durationsLike(rows: readonly DurationRow[], row: ShownGeneration): Histogram | undefined {
  const { width, height } = row.options;
  const alike = rows.filter(({ size, quality }) => size === `${width}x${height}` && quality === row.quality);
  return [alike, rows].map(histogramOf).find((histogram) => totalOf(histogram) >= fewest);
}

function recentDurations(rows: readonly DurationRow[]): Histogram {
  const since = Date.now() - recentMs;
  const recent = histogramOf(rows.filter(({ hour }) => hour.getTime() >= since));
  return totalOf(recent) >= fewestRecent ? recent : histogramOf(rows);
}

const timesFrom = (begin: number, { from, to }: TimeRange): TimeLeft => ({
  from: new Date(begin + from).toISOString(),
  to: new Date(begin + to).toISOString(),
});

/**
 * When a generation is expected to be finished.
 * @param position in the queue, from 1; null unless queued
 * @returns null when that is not known: too few were measured, no worker runs, the provider accepts no calls, a call had
 *   to be repeated, or it has ended
 */
export async function timeLeftOf(
  db: Db,
  row: ShownGeneration,
  position: Promise<number | null>,
): Promise<TimeLeft | null> {
  if (row.state !== 'queued' && row.state !== 'running') return null;
  const waits = row.progress?.stage === 'waiting';
  if (row.calls.started > 1 || row.calls.refused !== undefined) return null;
  if (waits && row.progress?.waiting_for !== 'budget') return null;
  const { rows, slots, isPaused, stoppedUntil } = await currentReading(db);
  const own = durationsLike(rows, row);
  if (!own || isPaused) return null;
  if (stoppedUntil && (waits || row.state === 'queued')) {
    // Then all slots are free.
    const ahead = waits ? 0 : Math.max(0, ((await position) ?? 1) - slots);
    return timesFrom(
      stoppedUntil.getTime(),
      waitingRange(own, recentDurations(rows), ahead, Math.max(1, slots)),
    );
  }
  if (waits) return null;
  if (row.started_at) return timesFrom(row.started_at.getTime(), ownRange(own));
  if (slots === 0) return null;
  // The count is not from the reading: in its age a free slot may have been taken.
  const [place, running] = await Promise.all([position, madeNow(db)]);
  if (place === null) return null;
  const ahead = Math.max(0, place - Math.max(0, slots - running));
  return timesFrom(Date.now(), waitingRange(own, recentDurations(rows), ahead, slots));
}

/**
 * When a batch is expected to be finished, if nothing else is made.
 * @param count its images that have not ended
 * @returns null when that is not known
 */
export async function timeLeftOfMany(db: Db, count: number): Promise<TimeLeft | null> {
  const { rows, slots, isPaused, stoppedUntil } = await currentReading(db);
  const durations = recentDurations(rows);
  if (count === 0 || slots === 0 || isPaused || totalOf(durations) < fewest) return null;
  return timesFrom(stoppedUntil?.getTime() ?? Date.now(), rangeOfMany(durations, count, slots));
}
