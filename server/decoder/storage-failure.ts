import { storageErrorOf } from '#shared/storage/storage-error.ts';
import type { Failure } from './jobs.ts';

/** The failure if an error came from the storage folder; undefined otherwise. */
export function storageFailure(error: unknown, path: string): Failure | undefined {
  const failure = storageErrorOf(error, path);
  return failure && { failed: failure.message, storage: { code: failure.code, path } };
}

/** The failure of a job on one of our own images. */
export function failureOf(error: unknown, path: string): Failure {
  return storageFailure(error, path) ?? { failed: error instanceof Error ? error.message : String(error) };
}
