/** Merges metadata as the API does: given keys are set, empty values remove their key, and '' removes all keys. */
export function mergeMetadata(
  before: Record<string, string> | null,
  changes: Record<string, string> | '' | undefined,
): Record<string, string> {
  if (changes === '') return {};
  const merged = { ...before, ...changes };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
}
