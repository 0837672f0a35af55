/**
 * The stored objects. Their fields are those of the SDK's types, but only what the product, its tests or the pages read is
 * filled: the others are absent. Links to other objects are ids; the API replaces them by the objects on request.
 */
import type Stripe from 'stripe';
import type { Coupon, Discount, Invoice, TaxId } from './invoice-objects.ts';
import type { List, With } from './object-types.ts';

/** A customer. `currency` is set by the first subscription; a negative `balance` is credit. */
export type Customer = With<
  Stripe.Customer,
  {
    currency: string | null;
    address: Partial<Stripe.Address> | null;
    balance: number;
    email: string | null;
    name: string | null;
    metadata: Stripe.Metadata;
    invoice_settings: { default_payment_method: string | null };
    /** Incremented for each invoice number. */
    next_invoice_sequence: number;
    invoice_prefix: string;
  }
>;
/** A product. */
export type Product = With<Stripe.Product, Pick<Stripe.Product, 'active' | 'description' | 'name'>>;
/** A price: `unit_amount` in the currency's smallest unit, per `recurring.interval` unless it is paid once. */
export type Price = With<
  Stripe.Price,
  {
    active: boolean;
    currency: string;
    product: string;
    tax_behavior: 'exclusive' | 'inclusive' | 'unspecified';
    unit_amount: number;
    /** Decimals are transmitted as text, which the SDK converts to its own Decimal. */
    unit_amount_decimal: string;
    recurring: Pick<Stripe.Price.Recurring, 'interval' | 'interval_count'> | null;
  }
>;
/** A card, attached to a customer or not. */
export type PaymentMethod = With<
  Stripe.PaymentMethod,
  {
    customer: string | null;
    card: {
      brand: string;
      country: string;
      exp_month: number;
      exp_year: number;
      funding: string;
      last4: string;
    };
    billing_details: { name: string | null };
    us_bank_account?: { bank_name: string; last4: string };
  }
>;
/** One attempt to collect an amount from a card. */
export type PaymentIntent = With<
  Stripe.PaymentIntent,
  {
    amount: number;
    currency: string;
    customer: string;
    description: string;
    /** Of this server only: at Stripe, the invoice's payments name the intent. Null for a checkout that is paid once. */
    invoice: string | null;
    payment_method: string | null;
    latest_charge: string | null;
  }
>;
/** The result of one payment attempt; `amount_refunded` of it was refunded. */
export type Charge = With<
  Stripe.Charge,
  Pick<Stripe.Charge, 'amount_captured' | 'amount_refunded' | 'currency' | 'disputed' | 'paid'> & {
    billing_details: PaymentMethod['billing_details'];
    customer: string;
    payment_intent: string;
    payment_method: string;
    payment_method_details: { type: 'card'; card: PaymentMethod['card'] };
  }
>;
/** A refund of a charge. */
export type Refund = With<
  Stripe.Refund,
  { amount: number; charge: string; customer: string; payment_intent: string; payment_method: string }
>;
/** A dispute: money that the cardholder reclaims through the bank. */
export type Dispute = With<
  Stripe.Dispute,
  { charge: string; payment_intent: string; status: Stripe.Dispute['status'] }
>;
/** The only price of a subscription, with the period that is paid for. */
export type SubscriptionItem = With<
  Stripe.SubscriptionItem,
  {
    current_period_end: number;
    current_period_start: number;
    price: Price;
    quantity: number;
    subscription: string;
  }
>;
/** A subscription, which creates an invoice for each period. */
export type Subscription = With<
  Stripe.Subscription,
  Pick<
    Stripe.Subscription,
    | 'billing_cycle_anchor'
    | 'billing_mode'
    | 'cancel_at'
    | 'cancel_at_period_end'
    | 'canceled_at'
    | 'currency'
    | 'ended_at'
    | 'metadata'
    | 'status'
    | 'trial_end'
  > & {
    cancellation_details: Pick<Stripe.Subscription.CancellationDetails, 'reason'>;
    customer: string;
    automatic_tax: Pick<Stripe.Subscription.AutomaticTax, 'enabled'>;
    default_payment_method: string | null;
    default_tax_rates: [];
    description: null;
    discounts: string[];
    items: List<SubscriptionItem>;
    latest_invoice: string | null;
    pending_update: { expires_at: number; subscription_items: SubscriptionItem[] } | null;
    schedule: string | null;
  }
>;
/** A part of a schedule in which the price does not change. Dates are in Unix seconds. */
export type Phase = Pick<Stripe.SubscriptionSchedule.Phase, 'currency' | 'proration_behavior'> & {
  automatic_tax: { enabled: boolean };
  billing_thresholds: null;
  collection_method: 'charge_automatically';
  default_payment_method: string | null;
  discounts: { coupon: null; discount: string; promotion_code: null }[];
  invoice_settings: null;
  metadata: Stripe.Metadata;
  trial_end: number | null;
  start_date: number;
  end_date: number;
  items: [{ price: string; quantity: number }];
};
/** Changes that take effect at the end of the subscription's period. */
export type SubscriptionSchedule = With<
  Stripe.SubscriptionSchedule,
  Pick<Stripe.SubscriptionSchedule, 'current_phase' | 'status'> & {
    customer: string;
    phases: Phase[];
    subscription: string | null;
  }
>;
/** Links a payment intent to the invoice that it pays. */
export type InvoicePayment = With<
  Stripe.InvoicePayment,
  { invoice: string; payment: Stripe.InvoicePayment.Payment }
>;
/** A checkout session. What it sells is stored separately. */
export type CheckoutSession = With<
  Stripe.Checkout.Session,
  {
    amount_total: number;
    automatic_tax: { enabled: boolean };
    billing_address_collection: 'auto' | 'required' | null;
    tax_id_collection: { enabled: boolean };
    cancel_url: string | null;
    currency: string;
    customer: string;
    customer_details: { email: string | null; name: string | null } | null;
    expires_at: number;
    invoice: string | null;
    /** Null for a subscription. */
    invoice_creation: { enabled: boolean } | null;
    mode: 'payment' | 'subscription';
    payment_intent: string | null;
    status: Stripe.Checkout.Session['status'];
    subscription: string | null;
    success_url: string;
    url: string | null;
  }
>;
/** What customers can do in the portal. */
export interface PortalFeatures {
  customer_update: { enabled: boolean; allowed_updates: string[] };
  invoice_history: { enabled: boolean };
  payment_method_update: { enabled: boolean };
  subscription_cancel: { enabled: boolean; mode: 'at_period_end' };
  subscription_update: {
    enabled: boolean;
    default_allowed_updates: string[];
    products: { product: string; prices: string[] }[];
    proration_behavior: 'none' | 'always_invoice';
    schedule_at_period_end: { conditions: { type: string }[] };
  };
}
/** A configuration of the portal. */
export type PortalConfiguration = With<
  Stripe.BillingPortal.Configuration,
  Pick<Stripe.BillingPortal.Configuration, 'active' | 'default_return_url' | 'is_default' | 'metadata'> & {
    business_profile: {
      headline: string | null;
      privacy_policy_url: string | null;
      terms_of_service_url: string | null;
    };
    features: PortalFeatures;
  }
>;
/** A portal session, in which a customer manages their subscription. */
export type PortalSession = With<
  Stripe.BillingPortal.Session,
  { configuration: string; customer: string; flow: PortalFlow | null; return_url: string | null }
>;
/** The only thing that a customer does in a session, and where the session then leads. */
export interface PortalFlow {
  type: 'payment_method_update' | 'subscription_update_confirm';
  after_completion: { type: 'redirect'; redirect: { return_url: string } };
  subscription_update_confirm: { subscription: string; price: string } | null;
}
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
export type WebhookEndpoint = With<
  Stripe.WebhookEndpoint,
  Pick<Stripe.WebhookEndpoint, 'enabled_events' | 'status' | 'url'> & { secret: string }
>;

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
  /** Why it was refused. */
  failure?: string;
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
  customerUpdate: { name: boolean; address: boolean };
  /** Of the subscription, or of the payment. */
  metadata: Record<string, string>;
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
  coupon: Coupon;
  discount: Discount;
  tax_id: TaxId;
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
