import { paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Sends a link to the seller's address, which proves that mail arrives again. @throws ApiError; RATE_LIMITED */
export function checkEmail(): Promise<void> {
  return callApi('POST', paths.emailCheck, { status: 202, check: 'Look into your mailbox.' });
}
