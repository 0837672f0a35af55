/** @returns the value below which a share (0 to 1) of the values lies (nearest rank); NaN for an empty list */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** @returns the median (nearest rank); NaN for an empty list */
export const median = (values: readonly number[]) => quantile(values, 0.5);

/** Formats milliseconds with one decimal. */
export const ms = (value: number) => `${value.toFixed(1)} ms`;
