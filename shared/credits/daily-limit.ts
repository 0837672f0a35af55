import { hasEnded } from '#contract';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { DayCount } from '#shared/data/profiles/daily-count.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { DailyImages } from '#shared/platform/daily-images.ts';
import { type Day, dayOf, opensAgain } from '#shared/platform/days.ts';
import { AppError } from '#shared/platform/errors.ts';
import { mayGenerate } from './holds.ts';

/*
 * How many images a seller may ask for in a day (UTC): the limit of the installation, or the one that an operator gave the
 * seller (docs/credits.md, "The daily limit"; docs/decisions/0101-daily-limit.md).
 */

type Counted = Pick<ProfileRow, 'images_today' | 'daily_limit' | 'subscription_plan'> &
  Parameters<typeof mayGenerate>[0];

/** How many images a seller may ask for in a day; null for any number. */
export function dailyLimitOf(profile: Counted, dailyImages: DailyImages, now = new Date()): number | null {
  if (profile.daily_limit) return profile.daily_limit.images;
  return dailyImages[mayGenerate(profile, now) ? profile.subscription_plan : 'free'];
}

/** The day in which images of now are counted. The clock of a server that counted before may be ahead. */
function currentDay({ images_today: today }: Pick<ProfileRow, 'images_today'>, now: Date): Day {
  const day = dayOf(now);
  return today && today.day > day ? today.day : day;
}

/** Images of a seller that count today. */
export function countedToday(profile: Pick<ProfileRow, 'images_today'>, now = new Date()): number {
  const { images_today: today } = profile;
  return today?.day === currentDay(profile, now) ? today.used : 0;
}

/** Images that a seller may still ask for today; null for any number. */
export function leftToday(profile: Counted, dailyImages: DailyImages, now = new Date()): number | null {
  const limit = dailyLimitOf(profile, dailyImages, now);
  return limit === null ? null : Math.max(0, limit - countedToday(profile, now));
}

/**
 * Refuses images that the daily limit does not allow. The update that places their holds is what decides.
 * @throws AppError DAILY_LIMIT
 */
export function checkDailyLimit(
  profile: Counted,
  count: number,
  dailyImages: DailyImages,
  now = new Date(),
): void {
  const limit = dailyLimitOf(profile, dailyImages, now);
  const left = leftToday(profile, dailyImages, now);
  if (limit === null || left === null || left >= count) return;
  const { on: next, retryAfterSeconds } = opensAgain(now);
  const images = (number: number) => (number === 1 ? '1 image' : `${number.toLocaleString('en')} images`);
  const later = count > limit ? '' : `, or try again ${next}`;
  const message =
    left === 0
      ? `You have reached your limit of ${images(limit)} a day. You can create images again ${next}.`
      : `You asked for ${images(count)}, and your limit of ${limit.toLocaleString('en')} a day allows ${left.toLocaleString('en')} more today. Please choose fewer${later}.`;
  throw new AppError('DAILY_LIMIT', { message, retryAfterSeconds });
}

/** What the update that places the holds of images counts. @param profile as it was read */
export function dayCountOf(profile: ProfileRow, count: number, dailyImages: DailyImages): DayCount {
  const now = new Date();
  return {
    seen: profile,
    day: currentDay(profile, now),
    count,
    most: dailyLimitOf(profile, dailyImages, now),
  };
}

/** Failures that the seller caused: without counting them, provoking refusals would cost nothing. */
const causedBySeller: ReadonlySet<string> = new Set(['CONTENT_REFUSED', 'PHOTOS_UNREADABLE']);

/**
 * Whether a generation counts in its day. One that failed on our side, or was cancelled before it began, does not once it has
 * ended.
 */
export function countsInDay({ state, failure, calls }: Pick<GenerationRow, 'state' | 'failure' | 'calls'>) {
  if (!hasEnded(state) || state === 'succeeded') return true;
  return state === 'cancelled' ? calls.started > 0 : causedBySeller.has(failure?.code ?? '');
}
