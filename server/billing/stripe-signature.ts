import type Stripe from 'stripe';
import { AppError } from '#shared/platform/errors.ts';

/** Maximum age of a signed event, in seconds: older ones may be replayed by somebody else. */
const maxAgeSeconds = 300;

/** Maximum time by which Stripe's clock may be ahead of ours, in seconds. */
const maxAheadSeconds = 60;

/**
 * Checks that Stripe signed a body, and when. The SDK checks only that the time is not too long ago, so it accepts a time
 * in the future, and one that is not a number.
 * @param body the bytes as they were received
 * @throws AppError BAD_SIGNATURE
 */
export function checkSignature(
  stripe: Stripe,
  body: unknown,
  signature: string | string[] | undefined,
  secret: string,
): void {
  try {
    if (!(body instanceof Buffer) || typeof signature !== 'string')
      throw new Error('there is no body or no signature');
    const aheadBy = signedAt(signature) - Date.now() / 1_000;
    if (aheadBy > maxAheadSeconds) throw new Error(`the event was signed ${aheadBy} s from now`);
    stripe.webhooks.signature!.verifyHeader(body, signature, secret, maxAgeSeconds);
  } catch (cause) {
    throw new AppError('BAD_SIGNATURE', { cause });
  }
}

/** The time of a signature, in Unix seconds. @throws unless there is exactly one */
function signedAt(signature: string): number {
  const times = signature.split(',').filter((part) => part.startsWith('t='));
  const digits = /^t=(\d{1,12})$/.exec(times[0] ?? '')?.[1];
  if (times.length !== 1 || digits === undefined) throw new Error('the signature has no time');
  return Number(digits);
}
