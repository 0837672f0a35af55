/** 3-D Secure: the cardholder must authenticate before the card is charged. */
import { type Core, newId } from '../core/core.ts';
import { StripeApiError } from '../errors.ts';
import type { Invoice } from '../invoice-objects.ts';
import type { Challenge } from '../objects.ts';
import type { ChallengeView } from '../views.ts';
import { completeCheckout, successUrlOf } from './checkout.ts';
import { collect } from './collection.ts';
import { subscriptionOf } from './invoices.ts';
import { cardNumberOf } from './payment-methods.ts';
import { discardPendingUpdate } from './pending-update.ts';
import { attachDefaultCard } from './portal/sessions.ts';
import { nextCard } from './subscriptions.ts';

/** Creates a challenge for the cardholder. */
export function createChallenge(
  core: Core,
  about: Omit<Challenge, 'id' | 'object' | 'created' | 'state' | 'failure'>,
): Challenge {
  return core.create({ id: newId('tds'), object: 'challenge', created: core.now(), state: 'open', ...about });
}

/** Creates a challenge for the payment of an invoice with the customer's next card. */
export function challengeInvoice(core: Core, session: string, invoice: Invoice): Challenge {
  return createChallenge(core, {
    purpose: 'invoice',
    session,
    paymentMethod: nextCard(core, invoice.customer) as string,
    invoice: invoice.id,
    amount: invoice.amount_due,
    currency: invoice.currency,
  });
}

/** What the 3-D Secure page shows. */
export function findChallenge(core: Core, id: string): ChallengeView | undefined {
  const challenge = core.store.get('challenge', id);
  if (challenge === undefined) return undefined;
  return {
    challenge,
    card: core.getOrThrow('payment_method', challenge.paymentMethod),
    backUrl: challengeOrigin(core, challenge),
  };
}

/** The URL of the page from which the challenge was created. */
function challengeOrigin(core: Core, challenge: Challenge): string {
  return challenge.purpose === 'checkout'
    ? `${core.origin}/c/pay/${challenge.session}`
    : `${core.origin}/p/session/${challenge.session}`;
}

/** The result of a challenge. */
type ChallengeResult =
  | { outcome: 'done'; returnUrl: string }
  | { outcome: 'declined'; message: string; returnUrl: string };

const declinedMessage =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.';

/** Completes a challenge and continues the payment that was waiting for it. Answering a second time has no effect. */
export function answerChallenge(core: Core, id: string, accept: boolean): ChallengeResult {
  const challenge = core.getOrThrow('challenge', id);
  const back = challengeOrigin(core, challenge);
  const refused = (message: string): ChallengeResult => {
    core.change(challenge, { state: 'refused', failure: message });
    return { outcome: 'declined', message, returnUrl: back };
  };
  if (challenge.state === 'accepted') return { outcome: 'done', returnUrl: nextUrl(core, challenge) };
  if (challenge.state === 'refused') return refused(challenge.failure ?? declinedMessage);
  if (!accept) {
    discardPlanChange(core, challenge);
    return refused(declinedMessage);
  }
  const card = cardNumberOf(core, challenge.paymentMethod);
  core.change(card, { authenticated: true });
  try {
    continuePayment(core, challenge);
  } catch (error) {
    if (!(error instanceof StripeApiError) || error.status !== 402) throw error;
    return refused(error.message);
  }
  core.change(challenge, { state: 'accepted' });
  return { outcome: 'done', returnUrl: nextUrl(core, challenge) };
}

function nextUrl(core: Core, challenge: Challenge): string {
  if (challenge.purpose !== 'checkout') return challengeOrigin(core, challenge);
  return successUrlOf(core.getOrThrow('checkout.session', challenge.session));
}

function continuePayment(core: Core, challenge: Challenge): void {
  switch (challenge.purpose) {
    case 'checkout':
      completeCheckout(core, challenge.session, challenge.paymentMethod, 'authenticated');
      return;
    case 'card':
      attachDefaultCard(
        core,
        core.getOrThrow('billing_portal.session', challenge.session).customer,
        challenge.paymentMethod,
      );
      return;
    default: {
      const invoice = core.getOrThrow('invoice', challenge.invoice as string);
      if (invoice.status !== 'open') return;
      const { result } = collect(core, invoice, {
        presence: 'authenticated',
        paymentMethod: challenge.paymentMethod,
      });
      if (result.outcome === 'declined') {
        throw new StripeApiError(402, { type: 'card_error', message: result.message, code: result.code });
      }
    }
  }
}

/** Undoes a change of plan that was waiting for the payment. */
function discardPlanChange(core: Core, challenge: Challenge): void {
  if (challenge.invoice === null) return;
  const subscription = subscriptionOf(core, core.getOrThrow('invoice', challenge.invoice));
  if (subscription?.latest_invoice === challenge.invoice) discardPendingUpdate(core, subscription.id);
}
