import { type BeginTwoFactor, paths, type TwoFactorSetup, twoFactorSetupSchema } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Starts to add an authenticator app. @returns the key for the authenticator app @throws ApiError */
export function setUpTwoFactor(body: BeginTwoFactor): Promise<TwoFactorSetup> {
  return callApi('POST', paths.twoFactor, twoFactorSetupSchema, { body });
}
