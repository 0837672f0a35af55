import { networkError } from './api.ts';
import { loadPart } from './full-load.ts';

/** Loads the schemas of the account. @throws ApiError NETWORK */
export function loadAccountSchemas(): Promise<typeof import('./account-schemas.ts')> {
  return loadPart(() => import('./account-schemas.ts')).catch(() => {
    throw networkError();
  });
}
