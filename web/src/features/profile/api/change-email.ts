import { type ChangeEmail, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Requests a change of email; a link is sent to the new address. @throws ApiError */
export function changeEmail(body: ChangeEmail): Promise<void> {
  return callApi(
    'POST',
    paths.email,
    { status: 202, check: 'Look for our mail at the new address.' },
    { body },
  );
}
