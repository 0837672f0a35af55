import { type EndTwoFactor, paths } from '../../../../../shared/contract/index.ts';
import { callApi } from '../../../lib/api.ts';

/** Turns two-factor sign-in off. @throws ApiError */
export function endTwoFactor(body: EndTwoFactor): Promise<void> {
  return callApi<void>('DELETE', paths.twoFactor, null, { body });
}
