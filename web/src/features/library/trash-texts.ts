/** `48 MB`. */
export function sizeText(bytes: number): string {
  const megabytes = bytes / 1024 ** 2;
  if (megabytes >= 1024) return `${(megabytes / 1024).toFixed(1)} GB`;
  return megabytes < 1 ? 'less than 1 MB' : `${Math.round(megabytes)} MB`;
}

const dayMs = 86_400_000;

/** How long something stays. @param now in ms since 1970 */
export function timeLeftText(removedAt: string, now: number): string {
  const days = Math.ceil((Date.parse(removedAt) - now) / dayMs);
  if (days <= 0) return 'Removed soon';
  return days === 1 ? 'Less than a day left' : `${days} days left`;
}
