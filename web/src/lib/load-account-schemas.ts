import { networkError } from './api.ts';

/** Loads the schemas of the account. @throws ApiError NETWORK */
export function loadAccountSchemas(): Promise<typeof import('./account-schemas.ts')> {
  return import('./account-schemas.ts').catch(() => {
    throw networkError();
  });
}
