/**
 * Finds two paths that one update cannot change together: equal paths, a path and a prefix of it, or an array that one
 * path enters with `$[]` or `$[identifier]` and another with an index or `$`.
 * @returns the later of the two paths, and the prefix at which it conflicts
 */
export function findConflict(paths: Iterable<string[]>): { path: string; at: string } | undefined {
  const uses = new Map<string, 'value' | 'array' | 'fields'>();
  for (const parts of paths) {
    for (let length = 1; length <= parts.length; length++) {
      const prefix = parts.slice(0, length).join('.');
      const use = useAt(parts, length);
      const earlier = uses.get(prefix);
      if (earlier !== undefined && (earlier !== use || use === 'value')) {
        return { path: parts.join('.'), at: prefix };
      }
      uses.set(prefix, use);
    }
  }
  return undefined;
}

/** What a path changes at the prefix of this length: the whole value, elements of an array, or fields. */
function useAt(parts: string[], length: number): 'value' | 'array' | 'fields' {
  const next = parts[length];
  if (next === undefined) return 'value';
  return next.startsWith('$[') ? 'array' : 'fields';
}
