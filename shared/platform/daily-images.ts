import { type PlanId, planIds } from '#contract';

/**
 * Images that a seller may ask for in a day (UTC), by the plan that works; `free` without one. Null for no limit
 * (docs/credits.md, "The daily limit").
 */
export type DailyImages = Readonly<Record<PlanId | 'free', number | null>>;

const kinds = ['free', ...planIds] as const satisfies (keyof DailyImages)[];

/** The same limit for everybody. */
export const dailyImagesOfAll = (limit: number | null) =>
  Object.fromEntries(kinds.map((kind) => [kind, limit])) as Record<keyof DailyImages, number | null>;

export const noDailyImages: DailyImages = dailyImagesOfAll(null);

/**
 * Reads the setting DAILY_IMAGES: a number for everybody, such as `40`, or one for some plans, such as `free:5,freelance:40`.
 * @returns undefined when the text is neither
 */
export function readDailyImages(text: string): DailyImages | undefined {
  const numberIn = (part: string | undefined) =>
    part !== undefined && /^[1-9]\d{0,6}$/.test(part.trim()) ? Number(part) : undefined;
  const forAll = numberIn(text);
  if (forAll !== undefined) return dailyImagesOfAll(forAll);
  const read = dailyImagesOfAll(null);
  for (const part of text.split(',')) {
    const [name = '', limit, ...rest] = part.split(':');
    const kind = kinds.find((each) => each === name.trim());
    const number = numberIn(limit);
    if (!kind || number === undefined || rest.length > 0 || read[kind] !== null) return undefined;
    read[kind] = number;
  }
  return read;
}
