import { useSyncExternalStore } from 'react';

/** Moments in words, in the seller's language; each takes an ISO 8601 date-time. */
export interface Dates {
  /** `November 21, 2026` */
  day(at: string): string;
  /** `Nov 21, 2026, 1:05 PM` */
  moment(at: string): string;
  /** `Nov 21, 1:05 PM` */
  shortMoment(at: string): string;
  /** `Nov 21 – Dec 21, 2026` */
  period(start: string, end: string): string;
  /** `5 minutes ago`; the date where that is more than a week. */
  ago(at: string, now: number): string;
}

const steps = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const;

/** The words of one language. */
export function datesIn(language: string): Dates {
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long' });
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const shortMoment = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  });
  const period = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const ago = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return {
    day: (at) => day.format(new Date(at)),
    moment: (at) => moment.format(new Date(at)),
    shortMoment: (at) => shortMoment.format(new Date(at)),
    period: (start, end) => period.formatRange(new Date(start), new Date(end)),
    ago: (at, now) => {
      const past = now - Date.parse(at);
      if (past > 7 * steps[0].ms) return day.format(new Date(at));
      const step = steps.find(({ ms }) => past >= ms);
      return step ? ago.format(-Math.floor(past / step.ms), step.unit) : ago.format(0, 'second');
    },
  };
}

let current = { language: 'en', dates: datesIn('en') };
const listeners = new Set<() => void>();

/** Has the page speak a language: its `lang` and its dates. */
export function showLanguage(language: string): void {
  document.documentElement.lang = language;
  if (language === current.language) return;
  current = { language, dates: datesIn(language) };
  for (const listener of listeners) listener();
}

/** Moments in the words of the language that is shown. */
export function useDates(): Dates {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current.dates,
  );
}
