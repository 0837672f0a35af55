import { paths, type TwoFactorSetup, twoFactorSetupSchema } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Begins to turn on two-factor sign-in. @returns what the authenticator app needs. @throws ApiError */
export function beginTwoFactor(password: string): Promise<TwoFactorSetup> {
  return callApi('POST', paths.twoFactor, twoFactorSetupSchema, { body: { password } });
}
