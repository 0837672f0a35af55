/** Creates checkout sessions. */
import type { Core } from '../core/core.ts';
import { newId } from '../core/ids.ts';
import { invalidRequest } from '../errors.ts';
import type { CheckoutSession, CheckoutTerms } from '../objects.ts';

const daySeconds = 86_400;
const halfHour = 1800;

/** Parameters of a new session. */
export interface CheckoutParams {
  lineItems: { price: string; quantity: number }[];
  successUrl: string;
  cancelUrl?: string | undefined;
  customer?: string | undefined;
  customerEmail?: string | undefined;
  clientReferenceId?: string | undefined;
  metadata?: Record<string, string> | undefined;
  subscriptionMetadata?: Record<string, string> | undefined;
  trialDays?: number | undefined;
  expiresAt?: number | undefined;
  allowPromotionCodes?: boolean | undefined;
  billingAddressCollection?: string | undefined;
  locale?: string | undefined;
}

/** Creates a session that is open for 24 hours, or until `expiresAt` (30 minutes to 24 hours from now). */
export function createCheckout(core: Core, params: CheckoutParams): CheckoutSession {
  const now = core.now();
  const [line, ...more] = params.lineItems;
  if (line === undefined || more.length > 0) {
    throw invalidRequest('This local server takes exactly one line item.', 'line_items');
  }
  const price = core.getOrThrow('price', line.price, 'line_items[0][price]');
  if (!price.active) throw invalidRequest(`The price ${price.id} is inactive.`, 'line_items[0][price]');
  if (params.customer !== undefined && params.customerEmail !== undefined) {
    throw invalidRequest(
      'You may only specify one of these parameters: customer, customer_email.',
      'customer',
    );
  }
  if (params.customer !== undefined) core.getOrThrow('customer', params.customer, 'customer');
  const expiresAt = params.expiresAt ?? now + daySeconds;
  if (expiresAt < now + halfHour || expiresAt > now + daySeconds) {
    throw invalidRequest('expires_at must lie between 30 minutes and 24 hours from now.', 'expires_at');
  }
  const id = newId('cs_test');
  const terms: CheckoutTerms = {
    id: `terms_${id}`,
    object: 'checkout_terms',
    created: now,
    lines: params.lineItems,
    trialDays: params.trialDays ?? null,
    subscriptionMetadata: params.subscriptionMetadata ?? {},
  };
  core.create(terms);
  const total = terms.trialDays === null ? price.unit_amount * line.quantity : 0;
  return core.create(newSession(core, id, params, expiresAt, total, price.currency));
}

function newSession(
  core: Core,
  id: string,
  params: CheckoutParams,
  expiresAt: number,
  total: number,
  currency: string,
): CheckoutSession {
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: params.allowPromotionCodes ?? null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: params.billingAddressCollection ?? null,
    cancel_url: params.cancelUrl ?? null,
    client_reference_id: params.clientReferenceId ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: core.now(),
    currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: params.customer ?? null,
    customer_account: null,
    customer_creation: params.customer === undefined ? 'always' : null,
    customer_details: null,
    customer_email: params.customerEmail ?? null,
    discounts: [],
    expires_at: expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: params.locale ?? null,
    managed_payments: null,
    metadata: params.metadata ?? {},
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'always',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: {
      allow_redisplay_filters: ['always'],
      payment_method_remove: 'disabled',
      payment_method_save: null,
    },
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: params.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${core.origin}/c/pay/${id}`,
    wallet_options: null,
  };
}
