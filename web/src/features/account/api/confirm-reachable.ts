import { paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Confirms with the token of a mail that mail arrives at an address again. @throws ApiError */
export function confirmReachable(token: string): Promise<void> {
  return callApi(
    'POST',
    paths.confirmReachable,
    { status: 204, check: 'Open your account settings: they say whether our email reaches you.' },
    { body: { token } },
  );
}
