import { type Confirmation, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Confirms the session with the password or a code. @throws ApiError */
export function confirm(body: Confirmation): Promise<void> {
  const check = 'Try again what you were doing.';
  return callApi('POST', paths.confirmation, { status: 204, check }, { body });
}
