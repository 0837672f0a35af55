import { useSyncExternalStore } from 'react';

/** Formats ISO 8601 date-times in the seller's language. */
export interface Dates {
  /** `November 21, 2026` */
  day(at: string): string;
  /** `Nov 21, 2026, 1:05 PM` */
  dateTime(at: string): string;
  /** `Nov 21, 1:05 PM` */
  shortDateTime(at: string): string;
  /** `Nov 21` of a day (UTC) such as `2026-11-21` */
  utcDay(date: string): string;
  /** `Nov 2026` of a day (UTC) */
  utcMonth(date: string): string;
  /** `Nov 21 – Dec 21, 2026` */
  period(start: string, end: string): string;
  /** `5 minutes ago`; the date if more than a week ago. `now` is in ms since 1970. */
  ago(at: string, now: number): string;
}

const steps = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const;

/** The formats of one language. */
export function dateFormats(language: string): Dates {
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long' });
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const shortDateTime = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  });
  const utcDay = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const utcMonth = new Intl.DateTimeFormat(language, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  const period = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const ago = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return {
    day: (at) => day.format(new Date(at)),
    dateTime: (at) => dateTime.format(new Date(at)),
    shortDateTime: (at) => shortDateTime.format(new Date(at)),
    utcDay: (date) => utcDay.format(new Date(date)),
    utcMonth: (date) => utcMonth.format(new Date(date)),
    period: (start, end) => period.formatRange(new Date(start), new Date(end)),
    ago: (at, now) => {
      const past = now - Date.parse(at);
      if (past > 7 * steps[0].ms) return day.format(new Date(at));
      const step = steps.find(({ ms }) => past >= ms);
      return step ? ago.format(-Math.floor(past / step.ms), step.unit) : ago.format(0, 'second');
    },
  };
}

let current = { language: 'en', dates: dateFormats('en') };
const listeners = new Set<() => void>();

/** Sets the page's language: its `lang` attribute and the formats of dates. */
export function setLanguage(language: string): void {
  document.documentElement.lang = language;
  if (language === current.language) return;
  current = { language, dates: dateFormats(language) };
  for (const listener of listeners) listener();
}

/** The formats of the page's language. */
export function useDates(): Dates {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current.dates,
    () => current.dates,
  );
}
