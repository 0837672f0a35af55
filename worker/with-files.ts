import type { Storage } from '#shared/platform/storage.ts';

/**
 * Runs a step that needs stored files on this machine.
 * @param step gets their paths, in the order of the keys, which are valid until it has ended
 * @returns what the step returned, or undefined if a key does not exist
 * @throws StorageError, or what the step throws
 */
export function withFiles<Value>(
  storage: Pick<Storage, 'withFile'>,
  keys: readonly string[],
  step: (paths: string[]) => Promise<Value>,
): Promise<Value | undefined> {
  const [key, ...others] = keys;
  if (key === undefined) return step([]);
  return storage.withFile(key, (path) => withFiles(storage, others, (paths) => step([path, ...paths])));
}
