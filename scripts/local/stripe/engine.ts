/** The operations of the local Stripe that its pages and its control endpoint use. */
import type {
  Challenge,
  CheckoutSession,
  Customer,
  Delivery,
  Invoice,
  InvoiceLine,
  PaymentMethod,
  PortalConfiguration,
  PortalSession,
  Price,
  Product,
  StoredEvent,
  Subscription,
  SubscriptionSchedule,
} from './objects.ts';

/** Card details as typed. `cardNumber` may contain spaces; `expYear` has two or four digits. */
export interface CardDetails {
  cardNumber: string;
  expMonth: number;
  expYear: number;
  cvc: string;
  name?: string;
  /** Required when the session has no customer yet. */
  email?: string;
}

/** One item of a purchase. */
interface LineView {
  price: Price;
  product: Product;
  quantity: number;
  /** In the currency's smallest unit. */
  amount: number;
}

/** Everything that the checkout page shows. `amountDue` is what is charged now (0 with a trial). */
export interface CheckoutView {
  session: CheckoutSession;
  lines: LineView[];
  customer: Customer | null;
  trialDays: number | null;
  amountDue: number;
  currency: string;
  /** The target of the page's "back" link; null when the session has none. */
  cancelUrl: string | null;
}

/** The result of a payment on the checkout page. `code` is Stripe's, such as `card_declined`. */
export type PaymentOutcome =
  | { outcome: 'paid'; redirectUrl: string }
  | { outcome: 'declined'; message: string; code: string; declineCode: string | null }
  | { outcome: 'authenticate'; challengeId: string };

/** What the 3-D Secure page shows. */
export interface ChallengeView {
  challenge: Challenge;
  card: PaymentMethod;
  /** Where to go when authentication is refused or was already answered. */
  backUrl: string;
}

/** The result of adding a card, or of a payment, in the portal. */
export type PortalOutcome =
  | { outcome: 'done' }
  | { outcome: 'declined'; message: string; code: string; declineCode: string | null }
  | { outcome: 'authenticate'; challengeId: string };

/** A price to which the customer can change in the portal. */
export interface Offer {
  price: Price;
  product: Product;
  current: boolean;
  /** When the change takes effect, according to the configuration. */
  when: 'now' | 'period_end';
}

/** Everything that the portal page shows; lists are newest first. */
export interface PortalView {
  session: PortalSession;
  configuration: PortalConfiguration;
  customer: Customer;
  /** The newest subscription that has not ended. */
  subscription: Subscription | null;
  product: Product | null;
  schedule: SubscriptionSchedule | null;
  /** The scheduled change and its time (Unix seconds). */
  pendingChange: { price: Price; product: Product; at: number } | null;
  offers: Offer[];
  invoices: Invoice[];
  cards: PaymentMethod[];
  /** The card that the next invoice is charged to. */
  defaultCard: string | null;
}

/** What a change of plan costs. */
export interface ChangePreview {
  when: 'now' | 'period_end';
  /** In Unix seconds: now, or the end of the period. */
  at: number;
  /** Charged at once; 0 for a change at the end of the period. */
  amountDue: number;
  currency: string;
  lines: InvoiceLine[];
  price: Price;
  product: Product;
}

/** The operations of one server. All are synchronous except `advance`; unknown ids throw a StripeApiError (404). */
export interface StripeEngine {
  /** The server's clock in Unix seconds. */
  now(): number;

  /** @returns undefined for an unknown session; the session's `status` says whether it is still open */
  findCheckout(sessionId: string): CheckoutView | undefined;
  /** @throws StripeApiError 400 when the session is complete or expired */
  payCheckout(sessionId: string, card: CardDetails): PaymentOutcome;
  findChallenge(challengeId: string): ChallengeView | undefined;
  /**
   * Completes a 3-D Secure challenge. `returnUrl` is the next page: after success the success URL or the portal,
   * after a refusal the page that created the challenge. A second answer has no effect and returns the first result.
   */
  answerChallenge(
    challengeId: string,
    accept: boolean,
  ): { outcome: 'done'; returnUrl: string } | { outcome: 'declined'; message: string; returnUrl: string };

  /** @returns undefined for an unknown session */
  findPortal(sessionId: string): PortalView | undefined;
  portalPreviewChange(sessionId: string, priceId: string): ChangePreview;
  /**
   * Changes the plan at once or at the end of the period, as `portalPreviewChange` says; when the card is declined,
   * nothing changes.
   */
  portalChangePlan(sessionId: string, priceId: string): PortalOutcome;
  /** Removes a change that was scheduled for the end of the period. */
  portalUndoSchedule(sessionId: string): void;
  /** Cancels as the configuration says: at the end of the period or at once. */
  portalCancel(
    sessionId: string,
    details?: { feedback?: string | undefined; comment?: string | undefined },
  ): void;
  /** Withdraws a cancellation at the end of the period. */
  portalResume(sessionId: string): void;
  /** Adds a card and makes it the default. */
  portalAddCard(sessionId: string, card: CardDetails): PortalOutcome;
  portalSetDefaultCard(sessionId: string, paymentMethodId: string): void;
  portalRemoveCard(sessionId: string, paymentMethodId: string): void;
  portalPayInvoice(sessionId: string, invoiceId: string): PortalOutcome;
  portalUpdateCustomer(sessionId: string, changes: { name?: string; email?: string }): void;

  /** An invoice for its own page (`/i/<id>`, the `hosted_invoice_url`). */
  findInvoice(invoiceId: string): { invoice: Invoice; customer: Customer | null } | undefined;

  /** Lists for the dashboard, newest first. The default `limit` is 100. */
  listCustomers(limit?: number): Customer[];
  listSubscriptions(limit?: number): Subscription[];
  listInvoices(limit?: number): Invoice[];
  listEvents(limit?: number): StoredEvent[];
  listDeliveries(limit?: number): Delivery[];
  listCheckoutSessions(limit?: number): CheckoutSession[];
  /** All products with their prices. */
  listCatalog(): { product: Product; prices: Price[] }[];
  /** Moves the clock and does what is due; resolves when all webhooks that this causes were delivered or given up. */
  advance(step: ClockStep): Promise<{ now: number }>;
}

/** How far the clock moves: exactly one of the three. `to` is in Unix seconds. */
export type ClockStep = { seconds: number } | { months: number } | { to: number };
