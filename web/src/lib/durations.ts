/** `45 s`, `12 min`, `3 h`, `2 d`: a duration in one unit. */
export function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3_600) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** The time between two moments as {@link durationText}. */
export function durationBetween(from: string, to: string): string {
  return durationText(Math.max(0, Date.parse(to) - Date.parse(from)) / 1_000);
}
