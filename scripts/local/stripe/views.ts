/** What the local Stripe's pages show, and the results of what is done there. */
import type { Invoice } from './invoice-objects.ts';
import type {
  Challenge,
  CheckoutSession,
  Customer,
  PaymentMethod,
  PortalConfiguration,
  PortalSession,
  Price,
  Product,
  Subscription,
  SubscriptionSchedule,
} from './objects.ts';

/** Card details that the page has checked. `cardNumber` may contain spaces; `expYear` has four digits. */
export interface CardDetails {
  cardNumber: string;
  expMonth: number;
  expYear: number;
  name?: string;
}

/** What a checkout costs today. */
export interface CheckoutTotals {
  /** Without tax that is included in the price. */
  tax: number;
  /** Credit of the customer (negative), or what the customer owes. */
  balance: number;
  amountDue: number;
}

/** Everything that the checkout page shows. */
export interface CheckoutView {
  session: CheckoutSession;
  price: Price;
  product: Product;
  /** What is paid today. Without an address the tax is not known: it is not in the amount. */
  totals: CheckoutTotals;
  /** Undefined when it has been deleted. */
  customer: Customer | undefined;
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
  /** What is invoiced at once. */
  invoice: Invoice | undefined;
  price: Price;
  product: Product;
}

/** How far the clock moves: exactly one of the three. `to` is in Unix seconds. */
export type ClockStep = { seconds: number } | { months: number } | { to: number };
