import { paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Unlocks a locked account with the token of a mail. @throws ApiError */
export function unlock(token: string): Promise<void> {
  return callApi('POST', paths.unlock, { status: 204, check: 'Try to sign in.' }, { body: { token } });
}
