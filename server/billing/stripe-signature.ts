import type Stripe from 'stripe';
import { AppError } from '#shared/platform/errors.ts';

/** How old a signed event may be, in seconds; after that somebody may be replaying it. */
const oldestSeconds = 300;

/** How far Stripe's clock may be ahead of ours, in seconds. */
const aheadSeconds = 60;

/**
 * Checks that Stripe signed a body, and when. The library would take a time that is no number, and one to come: no
 * comparison with either ever says that it is too old.
 * @param body the bytes as they came
 * @throws Refusal BAD_SIGNATURE
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
    if (aheadBy > aheadSeconds) throw new Error(`the event was signed ${aheadBy} s from now`);
    stripe.webhooks.signature!.verifyHeader(body, signature, secret, oldestSeconds);
  } catch (cause) {
    throw new AppError('BAD_SIGNATURE', { cause });
  }
}

/** The one time that a signature names, in Unix seconds. @throws when there is none, or several */
function signedAt(signature: string): number {
  const times = signature.split(',').filter((part) => part.startsWith('t='));
  const digits = /^t=(\d{1,12})$/.exec(times[0] ?? '')?.[1];
  if (times.length !== 1 || digits === undefined) throw new Error('the signature has no time');
  return Number(digits);
}
