import { paths, type SetPassword } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Brings an account back to its old address by the link of a mail, with a new password. @throws ApiError */
export function undoEmail(body: SetPassword): Promise<void> {
  return callApi<void>('POST', paths.undoEmail, null, { body });
}
