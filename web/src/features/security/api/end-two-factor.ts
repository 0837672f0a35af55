import { type PasswordAndCode, paths } from '../../../../../shared/contract/index.ts';
import { callApi } from '../../../lib/api.ts';

/** Turns two-factor sign-in off. @throws ApiError */
export function endTwoFactor(body: PasswordAndCode): Promise<void> {
  return callApi<void>('DELETE', paths.twoFactor, null, { body });
}
