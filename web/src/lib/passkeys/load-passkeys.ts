import { networkError } from '#web/lib/api.ts';
import { loadPart } from '#web/lib/full-load.ts';

/** Loads what uses passkeys, when one is wanted. @throws ApiError NETWORK */
export function loadPasskeys(): Promise<typeof import('./ceremonies.ts')> {
  return loadPart(() => import('./ceremonies.ts')).catch(() => {
    throw networkError();
  });
}
