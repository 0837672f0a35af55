import { type PasswordAndCode, paths, type RecoveryCodes, recoveryCodesSchema } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Creates new recovery codes; the old ones stop working. @throws ApiError */
export function createRecoveryCodes(body: PasswordAndCode): Promise<RecoveryCodes> {
  return callApi('POST', paths.recoveryCodes, recoveryCodesSchema, { body });
}
