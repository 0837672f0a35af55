/** 3-D Secure: the cardholder must authenticate before the card is charged. */
import type { Core } from '../core/core.ts';
import { newId } from '../core/ids.ts';
import type { ChallengeView } from '../engine.ts';
import { StripeApiError } from '../errors.ts';
import type { Challenge } from '../objects.ts';
import { completeCheckout, successUrlOf } from './checkout.ts';
import { collect } from './collection.ts';
import { subscriptionOf } from './invoices.ts';
import { numberOf } from './payment-methods.ts';
import { dropPendingUpdate } from './pending-update.ts';
import { adoptCard } from './portal/cards.ts';

/** Creates a challenge for the cardholder. */
export function ask(core: Core, about: Omit<Challenge, 'id' | 'object' | 'created' | 'state'>): Challenge {
  return core.create({ id: newId('tds'), object: 'challenge', created: core.now(), state: 'open', ...about });
}

/** What the 3-D Secure page shows. */
export function findChallenge(core: Core, id: string): ChallengeView | undefined {
  const challenge = core.store.get('challenge', id);
  if (challenge === undefined) return undefined;
  return {
    challenge,
    card: core.need('payment_method', challenge.paymentMethod),
    backUrl: askerOf(core, challenge),
  };
}

/** The URL of the page that created the challenge. */
function askerOf(core: Core, challenge: Challenge): string {
  return challenge.purpose === 'checkout'
    ? `${core.origin}/c/pay/${challenge.session}`
    : `${core.origin}/p/session/${challenge.session}`;
}

/** The result of a challenge. */
export type Answer =
  | { outcome: 'done'; returnUrl: string }
  | { outcome: 'declined'; message: string; returnUrl: string };

const declinedMessage =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.';

/** Completes a challenge and continues the payment that was waiting for it. Answering a second time has no effect. */
export function answer(core: Core, id: string, accept: boolean): Answer {
  const challenge = core.need('challenge', id);
  const back = askerOf(core, challenge);
  if (challenge.state !== 'open') {
    if (challenge.state === 'refused')
      return { outcome: 'declined', message: declinedMessage, returnUrl: back };
    return { outcome: 'done', returnUrl: after(core, challenge) };
  }
  if (!accept) {
    core.change(challenge, { state: 'refused' });
    giveUp(core, challenge);
    return { outcome: 'declined', message: declinedMessage, returnUrl: back };
  }
  const card = numberOf(core, challenge.paymentMethod);
  core.change(card, { authenticated: true });
  try {
    goOn(core, challenge);
  } catch (error) {
    if (!(error instanceof StripeApiError) || error.status !== 402) throw error;
    core.change(challenge, { state: 'refused' });
    return { outcome: 'declined', message: error.message, returnUrl: back };
  }
  core.change(challenge, { state: 'accepted' });
  return { outcome: 'done', returnUrl: after(core, challenge) };
}

function after(core: Core, challenge: Challenge): string {
  if (challenge.purpose !== 'checkout') return askerOf(core, challenge);
  return successUrlOf(core.need('checkout.session', challenge.session));
}

function goOn(core: Core, challenge: Challenge): void {
  switch (challenge.purpose) {
    case 'checkout':
      completeCheckout(core, challenge.session, challenge.paymentMethod, 'proven');
      return;
    case 'card':
      adoptCard(
        core,
        core.need('billing_portal.session', challenge.session).customer,
        challenge.paymentMethod,
      );
      return;
    default: {
      const invoice = core.need('invoice', challenge.invoice as string);
      if (invoice.status !== 'open') return;
      const { result } = collect(core, invoice, {
        presence: 'proven',
        paymentMethod: challenge.paymentMethod,
      });
      if (result.outcome === 'declined') {
        throw new StripeApiError(402, { type: 'card_error', message: result.message, code: result.code });
      }
    }
  }
}

/** Undoes a change of plan that was waiting for the payment. */
function giveUp(core: Core, challenge: Challenge): void {
  if (challenge.invoice === null) return;
  const subscription = subscriptionOf(core, core.need('invoice', challenge.invoice));
  if (subscription?.latest_invoice === challenge.invoice) dropPendingUpdate(core, subscription.id);
}
