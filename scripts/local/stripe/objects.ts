/**
 * The objects the local Stripe keeps: the SDK's own types, so the compiler sees to it that no field is
 * missing, with links to other objects narrowed to ids (an API answer puts the object there where asked to).
 */
import type Stripe from 'stripe';

/** `T` with some of its fields typed more narrowly. */
type With<T, Fields> = Omit<T, keyof Fields> & Fields;

/** A person who pays. `currency` is set by the first subscription. */
export type Customer = With<
  Stripe.Customer,
  {
    default_source: null;
    name: string | null;
    invoice_settings: With<Stripe.Customer.InvoiceSettings, { default_payment_method: string | null }>;
    /** Counted up for the invoices' numbers. */
    next_invoice_sequence: number;
    invoice_prefix: string;
  }
>;
/** What is sold. */
export type Product = With<Stripe.Product, { default_price: string | null }>;
/** What a product costs, in `unit_amount` of the currency's smallest unit per `recurring.interval`. */
export type Price = With<
  Stripe.Price,
  {
    product: string;
    unit_amount: number;
    /** Decimals travel as text, which the SDK turns into its own Decimal. */
    unit_amount_decimal: string;
    recurring: Stripe.Price.Recurring;
  }
>;
/** A price in the shape it had before prices; still part of a subscription's items. */
export type Plan = With<Stripe.Plan, { amount_decimal: string }>;
/** A card, attached to a customer or not. */
export type PaymentMethod = With<
  Stripe.PaymentMethod,
  { customer: string | null; card: Stripe.PaymentMethod.Card }
>;
/** One attempt to take an amount from a card. */
export type PaymentIntent = With<
  Stripe.PaymentIntent,
  { customer: string | null; payment_method: string | null; latest_charge: string | null }
>;
/** What one attempt took from a card, or did not; `amount_refunded` of it was given back. */
export type Charge = With<
  Stripe.Charge,
  { customer: string | null; payment_intent: string; payment_method: string }
>;
/** Money given back of a charge. */
export type Refund = With<
  Stripe.Refund,
  { charge: string; customer: string | null; payment_intent: string; payment_method: string }
>;
/** Money that a card's holder takes back through the bank. */
export type Dispute = With<Stripe.Dispute, { charge: string; payment_intent: string }>;
/** The one price of a subscription, with the period that is paid for. */
export type SubscriptionItem = With<Stripe.SubscriptionItem, { price: Price; plan: Plan; quantity: number }>;
/** An agreement that makes an invoice each period. */
export type Subscription = With<
  Stripe.Subscription,
  {
    customer: string;
    default_payment_method: string | null;
    latest_invoice: string | null;
    schedule: string | null;
    pending_setup_intent: null;
    items: With<Stripe.ApiList<Stripe.SubscriptionItem>, { data: SubscriptionItem[] }>;
  }
>;
/** What changes at a subscription's next period end. */
export type SubscriptionSchedule = With<
  Stripe.SubscriptionSchedule,
  { customer: string; subscription: string | null }
>;
/** A credit or debit that waits for the next invoice of its subscription. */
export interface PendingItem {
  id: string;
  object: 'invoiceitem';
  created: number;
  customer: string;
  subscription: string;
  line: InvoiceLine;
}
/** Which payment intent pays which invoice. */
export type InvoicePayment = With<Stripe.InvoicePayment, { invoice: string }>;
/** What a customer owes or paid. */
export type Invoice = With<
  Stripe.Invoice,
  {
    customer: string;
    default_payment_method: string | null;
    lines: With<Stripe.ApiList<Stripe.InvoiceLineItem>, { data: InvoiceLine[] }>;
    hosted_invoice_url: string | null;
    invoice_pdf: string | null;
  }
>;
/** One line of an invoice; `quantity_decimal` travels as text, which the SDK turns into a Decimal. */
export type InvoiceLine = With<
  Stripe.InvoiceLineItem,
  {
    quantity: number;
    quantity_decimal: string | null;
    pricing: {
      type: 'price_details';
      price_details: { price: string; product: string };
      unit_amount_decimal: string;
    };
    subscription: string | null;
  }
>;
/** The address a person is sent to for paying. Its line items are kept beside it and shown where asked for. */
export type CheckoutSession = With<
  Stripe.Checkout.Session,
  {
    customer: string | null;
    invoice: string | null;
    subscription: string | null;
    success_url: string;
    amount_total: number;
    currency: string;
    payment_intent: string | null;
  }
>;
/** What the portal lets people do. */
export type PortalConfiguration = Stripe.BillingPortal.Configuration;
/** The address a person is sent to for managing their subscription. */
export type PortalSession = With<Stripe.BillingPortal.Session, { configuration: string }>;
/** Something that happened, as webhooks tell it. `data.object` is the object as it was then. */
export interface StoredEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: Record<string, unknown>; previous_attributes?: Record<string, unknown> };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}
/** Who is told of events; `secret` signs them. */
export type WebhookEndpoint = With<Stripe.WebhookEndpoint, { secret: string }>;

/** The delivery of one event to one endpoint. */
export interface Delivery {
  id: number;
  event: string;
  type: string;
  endpoint: string;
  url: string;
  state: 'pending' | 'delivered' | 'given-up';
  attempts: DeliveryAttempt[];
}
/** `status` is the HTTP status that was answered, null when there was no answer; `at` is real time in ms. */
export interface DeliveryAttempt {
  at: number;
  status: number | null;
  error: string | null;
}

/** A 3-D Secure question that waits for the card holder's answer. */
export interface Challenge {
  id: string;
  object: 'challenge';
  created: number;
  purpose: 'checkout' | 'card' | 'invoice';
  /** The checkout session or the portal session it belongs to. */
  session: string;
  paymentMethod: string;
  /** What was to be paid; null where a card is only saved. */
  invoice: string | null;
  amount: number;
  currency: string;
  state: 'open' | 'accepted' | 'refused';
}

/** What the number of a saved card does: numbers are not part of the API's objects. */
export interface CardNumber {
  /** `number_` and the payment method's id. */
  id: string;
  object: 'card_number';
  created: number;
  number: string;
  /** Whether its holder has proved themselves by 3-D Secure, so that renewals may charge it. */
  authenticated: boolean;
}

/** What a checkout session sells: the API shows it as `line_items` where asked for. */
export interface CheckoutTerms {
  /** `terms_` and the session's id. */
  id: string;
  object: 'checkout_terms';
  created: number;
  lines: { price: string; quantity: number }[];
  trialDays: number | null;
  subscriptionMetadata: Record<string, string>;
}

/** A deleted object leaves its id behind. */
export interface DeletedCustomer {
  id: string;
  object: 'deleted_customer';
  created: number;
}

/** A test clock: a name for the one clock of the server. */
export interface TestClock {
  id: string;
  object: 'test_helpers.test_clock';
  created: number;
  name: string | null;
}

/** Every kind of stored object by its `object` field. */
export interface Kinds {
  customer: Customer;
  deleted_customer: DeletedCustomer;
  product: Product;
  price: Price;
  payment_method: PaymentMethod;
  card_number: CardNumber;
  payment_intent: PaymentIntent;
  charge: Charge;
  refund: Refund;
  dispute: Dispute;
  subscription: Subscription;
  subscription_schedule: SubscriptionSchedule;
  invoice: Invoice;
  invoiceitem: PendingItem;
  invoice_payment: InvoicePayment;
  'checkout.session': CheckoutSession;
  checkout_terms: CheckoutTerms;
  challenge: Challenge;
  'billing_portal.configuration': PortalConfiguration;
  'billing_portal.session': PortalSession;
  event: StoredEvent;
  webhook_endpoint: WebhookEndpoint;
  'test_helpers.test_clock': TestClock;
}
/** The name of a kind. */
export type Kind = keyof Kinds;
/** Any stored object. */
export type Stored = Kinds[Kind];
