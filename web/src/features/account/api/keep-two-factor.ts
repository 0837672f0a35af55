import { paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Keeps two-factor sign-in, which support is to turn off, with the token of a mail. @throws ApiError */
export function keepTwoFactor(token: string): Promise<void> {
  const check = 'Sign in with a code: that keeps two-factor sign-in as well.';
  return callApi('POST', paths.keepTwoFactor, { status: 204, check }, { body: { token } });
}
