/** Typed client of the control endpoint, for tests and simulations. */
import type { Business } from './billing/checkout.ts';
import type { CheckoutResult, ControlSettings, ControlState, PortalFlowResult } from './control.ts';
import type { Delivery } from './objects.ts';
import type { ClockStep } from './views.ts';

/** Controls one local Stripe that was started with `control: true`. */
export interface StripeControlClient {
  /** Sets the latency, faults for the next calls, the billing mode of new subscriptions, and how webhooks are delivered. */
  set(settings: ControlSettings): Promise<ControlState>;
  state(): Promise<ControlState>;
  /** Restores normal behaviour: no latency or faults, flexible billing, webhooks in order and once each. Data and clock stay. */
  reset(): Promise<ControlState>;
  /** Moves the clock; resolves when all webhooks that this causes were delivered or given up. */
  advance(step: ClockStep): Promise<{ now: number }>;
  /**
   * Waits until all webhooks are delivered. `pending` is 0 unless webhooks are held or the time (default 60 s) has
   * run out.
   */
  settled(withinMs?: number): Promise<{ pending: number }>;
  /** Newest first. */
  deliveries(limit?: number): Promise<Delivery[]>;
  /** Pays a checkout session without a browser and passes 3-D Secure. The default card is 4242…. */
  completeCheckout(session: string, card?: string, business?: Business): Promise<CheckoutResult>;
  /** Adds a card and makes it the customer's default; rejects when the card is declined. */
  setCard(customer: string, card: string): Promise<{ paymentMethod: string }>;
  /** Adds a bank account for debits, whose money arrives four days after a payment, and makes it the default. */
  setBankAccount(customer: string): Promise<{ paymentMethod: string }>;
  /** Removes all payment methods of a customer. */
  removeCards(customer: string): Promise<void>;
  /**
   * Goes through the flow of a portal session without a browser.
   * @param options `card` is added first; with `authenticate: false`, 3-D Secure is refused
   */
  completePortalFlow(
    session: string,
    options?: { card?: string; authenticate?: boolean },
  ): Promise<PortalFlowResult>;
  /** Cancels a subscription at the end of its period, as the portal does. */
  cancelAtPeriodEnd(subscription: string): Promise<void>;
  /** Disputes a charge, in full unless an amount is given. An inquiry withdraws no money. */
  dispute(charge: string, options?: { amount?: number; inquiry?: boolean }): Promise<{ dispute: string }>;
  /** Closes a dispute. */
  closeDispute(dispute: string, outcome: 'won' | 'lost'): Promise<void>;
  /** Fails a refund, as when the card account is closed. */
  failRefund(refund: string): Promise<void>;
}

/**
 * Creates a client.
 * @param controlUrl the `controlUrl` of `startStripeServer`
 */
export function createStripeControl(controlUrl: string): StripeControlClient {
  const request = async <T>(path: string, init?: RequestInit): Promise<T> => {
    const response = await fetch(`${controlUrl}${path}`, init);
    if (!response.ok) {
      throw new Error(`the local Stripe's control answered ${response.status}: ${await response.text()}`);
    }
    return (await response.json()) as T;
  };
  const post = <T>(path: string, body: object = {}) =>
    request<T>(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    set: (settings) => post('', settings),
    state: () => request(''),
    reset: () => post('/reset'),
    advance: (step) => post('/advance', step),
    settled: (withinMs = 60_000) => request(`/settled?withinMs=${withinMs}`),
    deliveries: (limit = 1000) => request(`/deliveries?limit=${limit}`),
    completeCheckout: (session, card, business) => post('/complete-checkout', { session, card, business }),
    setCard: (customer, card) => post('/set-card', { customer, card }),
    setBankAccount: (customer) => post('/set-bank-account', { customer }),
    removeCards: async (customer) => void (await post('/remove-cards', { customer })),
    completePortalFlow: (session, options = {}) => post('/complete-portal-flow', { session, ...options }),
    cancelAtPeriodEnd: async (subscription) => void (await post('/cancel-at-period-end', { subscription })),
    dispute: (charge, options = {}) => post('/dispute', { charge, ...options }),
    closeDispute: async (dispute, outcome) => void (await post('/close-dispute', { dispute, outcome })),
    failRefund: async (refund) => void (await post('/fail-refund', { refund })),
  };
}
