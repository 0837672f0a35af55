import { paths, type TwoFactorSetup, twoFactorSetupSchema } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Starts to turn on two-factor sign-in. @returns the key for the authenticator app @throws ApiError */
export function setUpTwoFactor(password: string): Promise<TwoFactorSetup> {
  return callApi('POST', paths.twoFactor, twoFactorSetupSchema, { body: { password } });
}
