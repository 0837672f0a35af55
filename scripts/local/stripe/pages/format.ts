/** Money and dates as the pages write them. */

/** An amount in a currency's smallest unit as people write it: (5000, 'usd') is "$50.00". */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() });
  // Yen have no smaller unit, dinars a thousandth: the currency knows where its point stands.
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** A time in Unix seconds as a day: "November 21, 2026". In UTC, as Stripe counts periods. */
export function formatDay(seconds: number): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(seconds * 1000);
}

/** A time in Unix seconds as day and time: "Nov 21, 2026, 1:02:03 PM UTC". */
export function formatTime(seconds: number): string {
  const format = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'UTC',
  });
  return `${format.format(seconds * 1000)} UTC`;
}

/** How often a price comes round: "month", "3 months". */
export function formatInterval(recurring: { interval: string; interval_count: number }): string {
  const { interval, interval_count: count } = recurring;
  return count === 1 ? interval : `${count} ${interval}s`;
}
