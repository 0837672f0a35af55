import { paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Requests another verification link. @throws ApiError */
export function resendVerification(email: string): Promise<void> {
  return callApi<void>('POST', paths.verification, null, { body: { email } });
}
