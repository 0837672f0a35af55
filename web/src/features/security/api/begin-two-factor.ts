import { paths, type TwoFactorSetup, twoFactorSetupSchema } from '../../../../../shared/contract/index.ts';
import { callApi } from '../../../lib/api.ts';

/** Begins to turn on two-factor sign-in. @returns what the authenticator app needs. @throws ApiError */
export function beginTwoFactor(password: string): Promise<TwoFactorSetup> {
  return callApi('POST', paths.twoFactor, twoFactorSetupSchema, { body: { password } });
}
