/* Days of the installation: they begin and end at midnight UTC, for everybody. */

/** A day (UTC), such as `2026-11-26`. */
export type Day = string;

export const dayMs = 86_400_000;

/** The day (UTC) of a moment. */
export function dayOf(moment: Date): Day {
  return moment.toISOString().slice(0, 10);
}

/** The beginning of a day (UTC). */
export const beginningOf = (day: Day) => new Date(Date.parse(day));

/** The beginning of the day (UTC) of a moment. */
export const beginOfDay = (moment: Date) => beginningOf(dayOf(moment));

/** The beginning of the day (UTC) after a moment. */
export function nextDay(moment: Date): Date {
  return new Date(beginOfDay(moment).getTime() + dayMs);
}

const dayLabel = new Intl.DateTimeFormat('en', { month: 'long', day: 'numeric', timeZone: 'UTC' });

/** When something opens again that is closed for the rest of a day. @returns in words, and in seconds from the moment on */
export function opensAgain(moment: Date): { on: string; retryAfterSeconds: number } {
  const opens = nextDay(moment);
  return {
    on: `on ${dayLabel.format(opens)} at 00:00 UTC`,
    retryAfterSeconds: Math.ceil((opens.getTime() - moment.getTime()) / 1_000),
  };
}
