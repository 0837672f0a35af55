let offsetMs = 0;

/**
 * Records how far this machine's clock differs from the server's.
 * @param date the `Date` header of a reply; ignored if missing or unreadable
 */
export function recordServerTime(date: string | null): void {
  const time = date === null ? Number.NaN : Date.parse(date);
  // The header is in whole seconds: assume the middle of the second.
  if (!Number.isNaN(time)) offsetMs = time + 500 - Date.now();
}

/** The server's time in ms since 1970, so that elapsed times are right on a machine whose clock is wrong. */
export function serverNow(): number {
  // Differences below two seconds come from the header's precision and the network.
  return Date.now() + (Math.abs(offsetMs) < 2_000 ? 0 : offsetMs);
}
