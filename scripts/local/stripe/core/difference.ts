/** Calculates the `previous_attributes` of an update event. */
type Plain = Record<string, unknown>;

/**
 * The previous values of all fields that differ. For nested objects only the fields that differ, for arrays the whole
 * array, null for a new field.
 * @returns undefined when nothing differs
 */
export function previousAttributes(before: Plain, after: Plain): Plain | undefined {
  const previous: Plain = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[name], after[name]];
    if (isPlain(old) && isPlain(now)) {
      const nested = previousAttributes(old, now);
      if (nested !== undefined) previous[name] = nested;
    } else if (JSON.stringify(old) !== JSON.stringify(now)) {
      previous[name] = old ?? null;
    }
  }
  return Object.keys(previous).length === 0 ? undefined : previous;
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
