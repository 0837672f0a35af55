/** What the local Stripe can do, as its pages and its control endpoint call it. */
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

/** What a person types about their card. `cardNumber` may contain spaces; `expYear` has two or four digits. */
export interface CardDetails {
  cardNumber: string;
  expMonth: number;
  expYear: number;
  cvc: string;
  name?: string;
  /** Asked for where the session has no customer yet. */
  email?: string;
}

/** One thing bought. */
export interface LineView {
  price: Price;
  product: Product;
  quantity: number;
  /** In the currency's smallest unit. */
  amount: number;
}

/** Everything the checkout page shows. `amountDue` is what is charged now (0 with a trial). */
export interface CheckoutView {
  session: CheckoutSession;
  lines: LineView[];
  customer: Customer | null;
  trialDays: number | null;
  amountDue: number;
  currency: string;
  /** Where the page's "back" link leads; null when the session has none. */
  cancelUrl: string | null;
}

/** How a payment on the checkout page ended. `code` is Stripe's, such as `card_declined`. */
export type PaymentOutcome =
  | { outcome: 'paid'; redirectUrl: string }
  | { outcome: 'declined'; message: string; code: string; declineCode: string | null }
  | { outcome: 'authenticate'; challengeId: string };

/** What the 3-D Secure page shows. */
export interface ChallengeView {
  challenge: Challenge;
  card: PaymentMethod;
  /** Where to go when the answer is no, or when it was already given. */
  backUrl: string;
}

/** How a card, or a payment in the portal, was taken. */
export type PortalOutcome =
  | { outcome: 'done' }
  | { outcome: 'declined'; message: string; code: string; declineCode: string | null }
  | { outcome: 'authenticate'; challengeId: string };

/** A price that the portal's configuration lets the customer change to. */
export interface Offer {
  price: Price;
  product: Product;
  current: boolean;
  /** Whether a change to it happens at once or at the end of the period, by the configuration's conditions. */
  when: 'now' | 'period_end';
}

/** Everything the portal page shows; the lists are newest first. */
export interface PortalView {
  session: PortalSession;
  configuration: PortalConfiguration;
  customer: Customer;
  /** The newest subscription that has not ended. */
  subscription: Subscription | null;
  product: Product | null;
  schedule: SubscriptionSchedule | null;
  /** The change that the schedule makes, and when (Unix seconds). */
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
  /** Unix seconds: now, or the end of the period. */
  at: number;
  /** Charged at once; 0 for a change at the period's end. */
  amountDue: number;
  currency: string;
  lines: InvoiceLine[];
  price: Price;
  product: Product;
}

/** The engine of one server. Every operation is done when it returns; unknown ids throw a StripeApiError (404). */
export interface StripeEngine {
  /** The server's clock in Unix seconds. */
  now(): number;

  /** @returns undefined for an unknown session; the session's `status` says whether it can still be paid */
  findCheckout(sessionId: string): CheckoutView | undefined;
  /** @throws StripeApiError 400 when the session is complete or expired */
  payCheckout(sessionId: string, card: CardDetails): PaymentOutcome;
  findChallenge(challengeId: string): ChallengeView | undefined;
  /**
   * Ends a 3-D Secure question. `returnUrl` is the way on: the success URL or the portal after a yes, the
   * page that asked after a no. Answering twice changes nothing and gives the first answer.
   */
  answerChallenge(
    challengeId: string,
    accept: boolean,
  ): { outcome: 'done'; returnUrl: string } | { outcome: 'declined'; message: string; returnUrl: string };

  /** @returns undefined for an unknown session */
  findPortal(sessionId: string): PortalView | undefined;
  portalPreviewChange(sessionId: string, priceId: string): ChangePreview;
  /** Changes at once or at the period's end, as `portalPreviewChange` says; a declined card changes nothing. */
  portalChangePlan(sessionId: string, priceId: string): PortalOutcome;
  /** Takes a change at the period's end back. */
  portalUndoSchedule(sessionId: string): void;
  /** Cancels as the configuration says: at the period's end or at once. */
  portalCancel(
    sessionId: string,
    details?: { feedback?: string | undefined; comment?: string | undefined },
  ): void;
  /** Takes a cancellation at the period's end back. */
  portalResume(sessionId: string): void;
  /** Adds the card and makes it the one that is charged. */
  portalAddCard(sessionId: string, card: CardDetails): PortalOutcome;
  portalSetDefaultCard(sessionId: string, paymentMethodId: string): void;
  portalRemoveCard(sessionId: string, paymentMethodId: string): void;
  portalPayInvoice(sessionId: string, invoiceId: string): PortalOutcome;
  portalUpdateCustomer(sessionId: string, changes: { name?: string; email?: string }): void;

  /** An invoice for its own page (`/i/<id>`, which `hosted_invoice_url` names). */
  findInvoice(invoiceId: string): { invoice: Invoice; customer: Customer | null } | undefined;

  /** For the dashboard, newest first. `limit` is 100 unless told. */
  listCustomers(limit?: number): Customer[];
  listSubscriptions(limit?: number): Subscription[];
  listInvoices(limit?: number): Invoice[];
  listEvents(limit?: number): StoredEvent[];
  listDeliveries(limit?: number): Delivery[];
  listCheckoutSessions(limit?: number): CheckoutSession[];
  /** Products with their prices, for names. */
  listCatalog(): { product: Product; prices: Price[] }[];
  /** Moves the clock and does what is due on the way; resolves when the webhooks of it are delivered or given up. */
  advance(step: ClockStep): Promise<{ now: number }>;
}

/** How far the clock moves: exactly one of the three. `to` is in Unix seconds. */
export type ClockStep = { seconds: number } | { months: number } | { to: number };
