/**
 * The stored objects. They are the SDK's own types, so the compiler rejects a missing field. Links to other objects
 * are narrowed to ids; the API replaces them by the objects on request.
 */
import type Stripe from 'stripe';

/** `T` with some fields typed more narrowly. */
type With<T, Fields> = Omit<T, keyof Fields> & Fields;

/** A customer. `currency` is set by the first subscription. */
export type Customer = With<
  Stripe.Customer,
  {
    default_source: null;
    name: string | null;
    invoice_settings: With<Stripe.Customer.InvoiceSettings, { default_payment_method: string | null }>;
    /** Incremented for each invoice number. */
    next_invoice_sequence: number;
    invoice_prefix: string;
  }
>;
/** A product. */
export type Product = With<Stripe.Product, { default_price: string | null }>;
/** A price: `unit_amount` in the currency's smallest unit per `recurring.interval`. */
export type Price = With<
  Stripe.Price,
  {
    product: string;
    unit_amount: number;
    /** Decimals are transmitted as text, which the SDK converts to its own Decimal. */
    unit_amount_decimal: string;
    recurring: Stripe.Price.Recurring;
  }
>;
/** A price in the legacy format that subscription items still contain. */
export type Plan = With<Stripe.Plan, { amount_decimal: string }>;
/** A card, attached to a customer or not. */
export type PaymentMethod = With<
  Stripe.PaymentMethod,
  { customer: string | null; card: Stripe.PaymentMethod.Card }
>;
/** One attempt to collect an amount from a card. */
export type PaymentIntent = With<
  Stripe.PaymentIntent,
  { customer: string | null; payment_method: string | null; latest_charge: string | null }
>;
/** The result of one payment attempt; `amount_refunded` of it was refunded. */
export type Charge = With<
  Stripe.Charge,
  { customer: string | null; payment_intent: string; payment_method: string }
>;
/** A refund of a charge. */
export type Refund = With<
  Stripe.Refund,
  { charge: string; customer: string | null; payment_intent: string; payment_method: string }
>;
/** A dispute: money that the cardholder reclaims through the bank. */
export type Dispute = With<Stripe.Dispute, { charge: string; payment_intent: string }>;
/** The only price of a subscription, with the period that is paid for. */
export type SubscriptionItem = With<Stripe.SubscriptionItem, { price: Price; plan: Plan; quantity: number }>;
/** A subscription, which creates an invoice for each period. */
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
/** Changes that take effect at the end of the subscription's period. */
export type SubscriptionSchedule = With<
  Stripe.SubscriptionSchedule,
  { customer: string; subscription: string | null }
>;
/** Links a payment intent to the invoice that it pays. */
type InvoicePayment = With<Stripe.InvoicePayment, { invoice: string }>;
/** An invoice. */
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
/** One line of an invoice; `quantity_decimal` is transmitted as text, which the SDK converts to a Decimal. */
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
/** A checkout session. Its line items are stored separately and shown on request. */
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
/** What customers can do in the portal. */
export type PortalConfiguration = Stripe.BillingPortal.Configuration;
/** A portal session, in which a customer manages their subscription. */
export type PortalSession = With<Stripe.BillingPortal.Session, { configuration: string }>;
/** An event. `data.object` is the object at the time of the event. */
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
/** A webhook endpoint; `secret` signs its events. */
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
/** `status` is the HTTP status of the reply, null without a reply; `at` is real time in ms. */
export interface DeliveryAttempt {
  at: number;
  status: number | null;
  error: string | null;
}

/** A 3-D Secure challenge that waits for the cardholder. */
export interface Challenge {
  id: string;
  object: 'challenge';
  created: number;
  purpose: 'checkout' | 'card' | 'invoice';
  /** The checkout session or portal session that it belongs to. */
  session: string;
  paymentMethod: string;
  /** The invoice to be paid; null where a card is only saved. */
  invoice: string | null;
  amount: number;
  currency: string;
  state: 'open' | 'accepted' | 'refused';
}

/** The number of a saved card, which the API's objects do not contain. */
export interface CardNumber {
  /** `number_` followed by the payment method's id. */
  id: string;
  object: 'card_number';
  created: number;
  number: string;
  /** Whether the cardholder has authenticated, so that renewals can charge the card. */
  authenticated: boolean;
}

/** What a checkout session sells. */
export interface CheckoutTerms {
  /** `terms_` followed by the session's id. */
  id: string;
  object: 'checkout_terms';
  created: number;
  price: string;
  trialDays: number | null;
  subscriptionMetadata: Record<string, string>;
}

/** What remains of a deleted customer. */
interface DeletedCustomer {
  id: string;
  object: 'deleted_customer';
  created: number;
}

/** All kinds of stored objects by the value of their `object` field. */
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
  invoice_payment: InvoicePayment;
  'checkout.session': CheckoutSession;
  checkout_terms: CheckoutTerms;
  challenge: Challenge;
  'billing_portal.configuration': PortalConfiguration;
  'billing_portal.session': PortalSession;
  event: StoredEvent;
  webhook_endpoint: WebhookEndpoint;
}
/** The name of a kind. */
export type Kind = keyof Kinds;
/** Any stored object. */
export type Stored = Kinds[Kind];
