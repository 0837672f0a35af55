/** Formats amounts and dates for the pages. */

/** Formats an amount in a currency's smallest unit: (5000, 'usd') is "$50.00". */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() });
  // Yen have no decimals and dinars have three, so the number of decimals comes from the currency.
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** Formats a time in Unix seconds as a date: "November 21, 2026". In UTC, like Stripe's periods. */
export function formatDay(seconds: number): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(seconds * 1000);
}

/** Formats a time in Unix seconds as date and time: "Nov 21, 2026, 1:02:03 PM UTC". */
export function formatTime(seconds: number): string {
  const format = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'UTC',
  });
  return `${format.format(seconds * 1000)} UTC`;
}
