/** The typed client of the local Stripe's control endpoint, for tests and simulations. */
import type { CheckoutResult, ControlSettings, ControlState } from './control.ts';
import type { ClockStep } from './engine.ts';
import type { Delivery } from './objects.ts';

export type { CheckoutResult, ClockStep, ControlSettings, ControlState, Delivery };

/** Speaks to one local Stripe started with `control: true`. */
export interface StripeControlClient {
  /** Sets latency, the next calls' faults, and how webhooks are delivered. */
  set(settings: ControlSettings): Promise<ControlState>;
  state(): Promise<ControlState>;
  /** Quick and right again, webhooks in order and once each; the data and the clock stay. */
  reset(): Promise<ControlState>;
  /** Moves the clock and does what is due; resolves when the webhooks of it were delivered or given up. */
  advance(step: ClockStep): Promise<{ now: number }>;
  /** Waits until no webhook waits. `pending` is 0 unless they are held or the time (60 s) is over. */
  settled(withinMs?: number): Promise<{ pending: number }>;
  /** Newest first. */
  deliveries(limit?: number): Promise<Delivery[]>;
  /** Delivers an event once more to every endpoint. */
  redeliver(event: string): Promise<void>;
  /** Pays a session without a browser; 3-D Secure is answered with yes. The card is 4242… unless told. */
  completeCheckout(session: string, card?: string, email?: string): Promise<CheckoutResult>;
  /** The customer's next charge is declined, whatever the card. */
  failNextPayment(customer: string): Promise<void>;
  /** Gives the customer a card and charges it from now on; rejects when the card is refused. */
  setCard(customer: string, card: string): Promise<{ paymentMethod: string }>;
  /** Lets a subscription end with its period. */
  cancelAtPeriodEnd(subscription: string): Promise<void>;
  /** A card's holder takes a charge's money back through the bank; an inquiry only asks. All of it unless told. */
  dispute(charge: string, options?: { amount?: number; inquiry?: boolean }): Promise<{ dispute: string }>;
  /** The bank decides a dispute. */
  closeDispute(dispute: string, outcome: 'won' | 'lost'): Promise<void>;
  /** A refund comes back, as when the card is closed. */
  failRefund(refund: string): Promise<void>;
}

/**
 * Makes a client.
 * @param controlUrl the `controlUrl` of `startStripeServer`
 */
export function createStripeControl(controlUrl: string): StripeControlClient {
  const ask = async <T>(path: string, init?: RequestInit): Promise<T> => {
    const response = await fetch(`${controlUrl}${path}`, init);
    if (!response.ok) {
      throw new Error(`the local Stripe's control answered ${response.status}: ${await response.text()}`);
    }
    return (await response.json()) as T;
  };
  const post = <T>(path: string, body: object = {}) =>
    ask<T>(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    set: (settings) => post('', settings),
    state: () => ask(''),
    reset: () => post('/reset'),
    advance: (step) => post('/advance', step),
    settled: (withinMs = 60_000) => ask(`/settled?withinMs=${withinMs}`),
    deliveries: (limit = 1000) => ask(`/deliveries?limit=${limit}`),
    redeliver: async (event) => void (await post('/redeliver', { event })),
    completeCheckout: (session, card, email) => post('/complete-checkout', { session, card, email }),
    failNextPayment: async (customer) => void (await post('/fail-next-payment', { customer })),
    setCard: (customer, card) => post('/set-card', { customer, card }),
    cancelAtPeriodEnd: async (subscription) => void (await post('/cancel-at-period-end', { subscription })),
    dispute: (charge, options = {}) => post('/dispute', { charge, ...options }),
    closeDispute: async (dispute, outcome) => void (await post('/close-dispute', { dispute, outcome })),
    failRefund: async (refund) => void (await post('/fail-refund', { refund })),
  };
}
