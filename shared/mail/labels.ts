/** Labels for dates and counts. */

const utcParts = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** `21 November 2026, 14:05 UTC`: the reader's time zone is not known. */
export function dateLabel(date: Date): string {
  const part = Object.fromEntries(utcParts.formatToParts(date).map(({ type, value }) => [type, value]));
  return `${part.day} ${part.month} ${part.year}, ${part.hour}:${part.minute} UTC`;
}

/** `1 hour`, `24 hours`, `no recovery codes`. */
export function countLabel(count: number, one: string, many = `${one}s`): string {
  return `${count === 0 ? 'no' : count} ${count === 1 ? one : many}`;
}
