import { unknownKindMessage } from '#shared/contract/photo-check.ts';
import { HeicFault } from './heic.ts';
import type { Failure } from './jobs.ts';
import { storageFailure } from './storage-failure.ts';

/** Why a photo whose reading threw an error is refused; or the failure of the storage. @param path of the file that was used */
export function refusalOf(error: unknown, path: string): Failure {
  const storage = storageFailure(error, path);
  if (storage) return storage;
  if (!(error instanceof HeicFault)) return { refused: 'IMAGE_CORRUPT' };
  return error.fault === 'unknown'
    ? { refused: 'TYPE_UNSUPPORTED', message: unknownKindMessage }
    : { refused: 'IMAGE_CORRUPT' };
}
