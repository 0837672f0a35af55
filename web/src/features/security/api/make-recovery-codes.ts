import { type PasswordAndCode, paths, type RecoveryCodes, recoveryCodesSchema } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Makes new recovery codes; the old ones are void. @throws ApiError */
export function makeRecoveryCodes(body: PasswordAndCode): Promise<RecoveryCodes> {
  return callApi('POST', paths.recoveryCodes, recoveryCodesSchema, { body });
}
