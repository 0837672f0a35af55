import { paths, type RecoveryCodes, recoveryCodesSchema } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Turns two-factor sign-in on with the app's first code. @throws ApiError; CODE_INVALID */
export function confirmTwoFactor(code: string): Promise<RecoveryCodes> {
  return callApi('POST', paths.confirmTwoFactor, recoveryCodesSchema, { body: { code } });
}
