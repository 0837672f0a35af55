let offset = 0;

/**
 * Notes how far this machine's clock is from the server's.
 * @param date the `Date` header of a reply; ignored when absent or unreadable
 */
export function noteServerTime(date: string | null): void {
  const time = date === null ? Number.NaN : Date.parse(date);
  // The header counts whole seconds: half a second is the middle of what it can mean.
  if (!Number.isNaN(time)) offset = time + 500 - Date.now();
}

/** The server's time in ms since 1970: elapsed times stay right on a machine whose clock is wrong. */
export function serverNow(): number {
  // A difference below two seconds is the header's coarseness and the network, not the clock.
  return Date.now() + (Math.abs(offset) < 2_000 ? 0 : offset);
}
