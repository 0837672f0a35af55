import { paths, type SetPassword } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Undoes a change of email with the token of a mail, and sets a new password. @throws ApiError */
export function undoEmail(body: SetPassword): Promise<void> {
  return callApi<void>('POST', paths.undoEmail, null, { body });
}
