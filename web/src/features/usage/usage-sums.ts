import type { Usage, V1UsageQuery } from '#contract';

/** For which time images are shown, and how long each bar of the chart is. */
export const periods = {
  '7 days': { days: 7, bar: 'day' },
  '30 days': { days: 30, bar: 'day' },
  '90 days': { days: 90, bar: 'day' },
  '12 months': { months: 12, bar: 'month' },
} as const;
export type Period = keyof typeof periods;

type Line = Usage['lines'][number];

/** A bar of the chart: the first day of it, and the images that were used in it. */
export interface Bar {
  date: string;
  images: number;
}

const dayMs = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The days of a period that ends today, both included. @param now in ms since 1970 */
export function daysOf(period: Period, now: number): V1UsageQuery {
  const today = new Date(now);
  const chosen = periods[period];
  const from =
    'days' in chosen
      ? now - (chosen.days - 1) * dayMs
      : Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - chosen.months + 1, 1);
  return { from: dayOf(from), to: dayOf(now) };
}

/** The bars of some days, also those without images. */
export function barsOf(
  { from, to, lines }: Pick<Usage, 'from' | 'to' | 'lines'>,
  bar: 'day' | 'month',
): Bar[] {
  const firstOf = (date: string) => (bar === 'day' ? date : `${date.slice(0, 7)}-01`);
  const bars = new Map<string, number>();
  for (let day = Date.parse(from); day <= Date.parse(to); day += dayMs) bars.set(firstOf(dayOf(day)), 0);
  for (const { date, images } of lines) bars.set(firstOf(date), (bars.get(firstOf(date)) ?? 0) + images);
  return [...bars].map(([date, images]) => ({ date, images }));
}

/** The images of lines together. */
export const imagesOf = (lines: readonly Line[]) => lines.reduce((sum, { images }) => sum + images, 0);

/** The images by something that lines have, the most first. */
export function sumsBy<Key>(
  lines: readonly Line[],
  keyOf: (line: Line) => Key,
): { of: Key; images: number }[] {
  const sums = new Map<Key, number>();
  for (const line of lines) sums.set(keyOf(line), (sums.get(keyOf(line)) ?? 0) + line.images);
  return [...sums]
    .map(([of, images]) => ({ of, images }))
    .toSorted((one, other) => other.images - one.images);
}

/** The figure at the top of a chart: a round one that is at least this large. */
export function topOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  const tops = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((digit) => Math.round(digit * power * 10) / 10);
  return tops.find((top) => top >= most && Number.isInteger(top))!;
}
