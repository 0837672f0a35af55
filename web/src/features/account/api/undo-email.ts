import { paths, type SetPassword } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Undoes a change of email with the token of a mail, and sets a new password. @throws ApiError */
export function undoEmail(body: SetPassword): Promise<void> {
  return callApi(
    'POST',
    paths.undoEmail,
    { status: 204, check: 'Try to sign in with your old email and the new password.' },
    { body },
  );
}
