import { paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Requests another verification link. @throws ApiError */
export function resendVerification(email: string): Promise<void> {
  return callApi(
    'POST',
    paths.verification,
    { status: 202, check: 'Look for our mail before you try again.' },
    { body: { email } },
  );
}
