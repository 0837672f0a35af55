/** What the control endpoint can do with a running server beyond Stripe's API. */
import { z } from 'zod';
import type { Faults } from './api/faults.ts';
import { answerChallenge } from './billing/challenges.ts';
import { changeSubscription } from './billing/change.ts';
import { failNextPayment } from './billing/charge.ts';
import { failRefund } from './billing/charges.ts';
import { successUrlOf } from './billing/checkout.ts';
import { closeDispute, openDispute } from './billing/disputes.ts';
import { createCard } from './billing/payment-methods.ts';
import { attachDefaultCard } from './billing/portal/cards.ts';
import type { Core } from './core/core.ts';
import type { StripeEngine } from './engine.ts';
import { StripeApiError } from './errors.ts';
import type { Delivery } from './objects.ts';
import type { Dispatcher } from './webhooks/dispatcher.ts';
import { listDeliveries } from './webhooks/queue.ts';

const faultSchema = z.strictObject({
  when: z.enum(['before', 'after']),
  status: z.number().int().min(400).max(599).optional(),
  code: z.string().optional(),
  type: z.string().optional(),
  message: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  match: z.string().optional(),
});

/** The body of `POST /control`; omitted settings keep their value. */
export const settingsSchema = z.strictObject({
  latencyMs: z.number().int().min(0).max(600_000).optional(),
  faults: z.array(faultSchema).optional(),
  webhooks: z
    .strictObject({
      hold: z.boolean().optional(),
      order: z.union([z.literal('created'), z.strictObject({ shuffle: z.number().int() })]).optional(),
      copies: z.number().int().min(1).max(20).optional(),
      parallel: z.number().int().min(1).max(50).optional(),
    })
    .optional(),
});
/** See `settingsSchema`. */
export type ControlSettings = z.infer<typeof settingsSchema>;

/** The reply of `GET /control`. */
export interface ControlState {
  /** The server's clock in Unix seconds, and how many seconds it is ahead of real time. */
  now: number;
  offset: number;
  latencyMs: number;
  /** Faults that are still queued. */
  faultsLeft: number;
  webhooks: { hold: boolean; order: unknown; copies: number; parallel: number; pending: number };
}

/** The result of a checkout that was completed without a browser. */
export type CheckoutResult =
  | { outcome: 'paid'; redirectUrl: string; session: string; customer: string; subscription: string }
  | { outcome: 'declined'; message: string; code: string };

/** The operations behind the control routes. */
export class StripeControl {
  readonly #core: Core;
  readonly #engine: StripeEngine;
  readonly #dispatcher: Dispatcher;
  readonly #faults: Faults;

  constructor(core: Core, engine: StripeEngine, dispatcher: Dispatcher, faults: Faults) {
    this.#core = core;
    this.#engine = engine;
    this.#dispatcher = dispatcher;
    this.#faults = faults;
  }

  state(): ControlState {
    const { hold, order, parallel } = this.#dispatcher.settings;
    const { copies } = this.#core;
    return {
      now: this.#core.now(),
      offset: this.#core.clock.offset,
      latencyMs: this.#faults.latencyMs,
      faultsLeft: this.#faults.left,
      webhooks: { hold, order, copies, parallel, pending: this.#dispatcher.pending() },
    };
  }

  configure(settings: ControlSettings): ControlState {
    if (settings.latencyMs !== undefined) this.#faults.latencyMs = settings.latencyMs;
    if (settings.faults !== undefined) this.#faults.add(settings.faults);
    const { copies, hold, order, parallel } = settings.webhooks ?? {};
    if (copies !== undefined) {
      this.#core.copies = copies;
      if (copies > 1) this.#dispatcher.copyPending(copies);
    }
    this.#dispatcher.configure({
      ...(order === undefined ? {} : { order }),
      ...(parallel === undefined ? {} : { parallel }),
      ...(hold === undefined ? {} : { hold }),
    });
    return this.state();
  }

  /** Restores normal behaviour: no latency or faults, webhooks in order and once each. Data and clock stay. */
  reset(): ControlState {
    this.#faults.reset();
    return this.configure({ webhooks: { hold: false, order: 'created', copies: 1, parallel: 1 } });
  }

  deliveries(limit: number): Delivery[] {
    return listDeliveries(this.#core.store, limit);
  }

  /** Pays a checkout session with a card, as a customer would in the browser, and passes 3-D Secure. */
  completeCheckout(sessionId: string, cardNumber: string, email?: string): CheckoutResult {
    const paid = this.#engine.payCheckout(sessionId, { ...this.#card(cardNumber), ...(email && { email }) });
    if (paid.outcome === 'declined') return paid;
    if (paid.outcome === 'authenticate') {
      const answered = this.#core.perform(() => answerChallenge(this.#core, paid.challengeId, true));
      if (answered.outcome === 'declined') {
        return { outcome: 'declined', message: answered.message, code: 'card_declined' };
      }
    }
    const session = this.#core.getOrThrow('checkout.session', sessionId);
    return {
      outcome: 'paid',
      redirectUrl: successUrlOf(session),
      session: session.id,
      customer: session.customer as string,
      subscription: session.subscription as string,
    };
  }

  /** Makes the next charge of any of the customer's cards fail. */
  failNextPayment(customer: string): void {
    this.#core.getOrThrow('customer', customer);
    failNextPayment(this.#core, customer);
  }

  /** Adds a card and makes it the customer's default. @throws StripeApiError 402 when the card is declined */
  setCard(customer: string, cardNumber: string): { paymentMethod: string } {
    return this.#core.perform(() => {
      const card = createCard(this.#core, this.#card(cardNumber));
      attachDefaultCard(this.#core, customer, card.id);
      return { paymentMethod: card.id };
    });
  }

  /** Cancels a subscription at the end of its period, as a customer would in the portal. */
  cancelAtPeriodEnd(subscription: string): void {
    this.#core.perform(() => changeSubscription(this.#core, subscription, { cancelAtPeriodEnd: true }));
  }

  /** Opens a dispute or an inquiry about a charge, as the cardholder's bank would. */
  dispute(charge: string, options: { amount?: number | undefined; inquiry?: boolean | undefined }) {
    return { dispute: this.#core.perform(() => openDispute(this.#core, charge, options)).id };
  }

  /** Closes a dispute, as the bank would. */
  closeDispute(dispute: string, outcome: 'won' | 'lost'): void {
    this.#core.perform(() => closeDispute(this.#core, dispute, outcome));
  }

  /** Fails a refund, as the bank would. */
  failRefund(refund: string): void {
    this.#core.perform(() => failRefund(this.#core, refund));
  }

  #card(cardNumber: string) {
    if (!/^[\d ]+$/.test(cardNumber)) {
      throw new StripeApiError(400, {
        type: 'invalid_request_error',
        message: 'A card number has digits only.',
      });
    }
    const inThreeYears = new Date(this.#core.now() * 1000).getUTCFullYear() + 3;
    return { cardNumber, expMonth: 12, expYear: inThreeYears, cvc: '123' };
  }
}
