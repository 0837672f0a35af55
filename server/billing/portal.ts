import type Stripe from 'stripe';
import { type CheckoutOrigin, type PlanId, pages } from '#contract';
import type { SubscriptionState } from '#shared/billing/billing-state.ts';
import type { BillingContext } from '#shared/billing/client.ts';
import { customerOf } from '#shared/billing/customer.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { AppError } from '#shared/platform/errors.ts';
import { returnPages } from './checkout.ts';
import type { PaymentStep } from './payment-step.ts';

type SessionParams = Stripe.BillingPortal.SessionCreateParams;
type FlowData = Stripe.BillingPortal.SessionCreateParams.FlowData;

/**
 * @returns the address of a Stripe page for cards, invoices and cancelling the plan
 * @throws AppError PROFILE_NOT_FOUND, ACCOUNT_DISABLED, NO_BILLING or PORTAL_FAILED
 */
export async function portalUrl(context: BillingContext, sellerId: string): Promise<string> {
  const { db, config } = context;
  const profile = await findProfile(db, sellerId);
  if (!profile) throw new AppError('PROFILE_NOT_FOUND');
  // Another server may have disabled the account seconds ago.
  if (profile.disabled_at) throw new AppError('ACCOUNT_DISABLED');
  if (!profile.stripe_customer_id) throw new AppError('NO_BILLING');
  try {
    const customer = await customerOf(context, sellerId);
    const return_url = `${config.linkUrl}${pages.plan}?portal=return`;
    return await openSession(context, { customer, return_url });
  } catch (cause) {
    throw new AppError('PORTAL_FAILED', { cause });
  }
}

interface PaymentPage {
  customer: string;
  subscription: SubscriptionState;
  /** The plan to which the seller upgrades. */
  plan: PlanId;
  step: PaymentStep;
  /** The page to which Stripe sends the seller back. */
  returnTo: CheckoutOrigin;
}

/**
 * @returns the address of a Stripe page on which the seller confirms and pays an upgrade, or adds a payment method for
 *   it. It says what the upgrade costs; nothing changes until it is paid
 * @throws Stripe's error
 */
export async function paymentPageUrl(
  context: BillingContext,
  { customer, subscription, plan, step, returnTo }: PaymentPage,
): Promise<string> {
  const page = context.config.linkUrl + returnPages[returnTo];
  const backWith = (query: string) => ({
    type: 'redirect' as const,
    redirect: { return_url: `${page}?${query}` },
  });
  const flow_data: FlowData =
    step === 'add-method'
      ? { type: 'payment_method_update', after_completion: backWith('payment=added') }
      : {
          type: 'subscription_update_confirm',
          after_completion: backWith(`changed=${plan}`),
          subscription_update_confirm: {
            subscription: subscription.id,
            items: [
              {
                id: subscription.itemId,
                price: (await context.billing.catalogue())[plan].priceId,
                quantity: 1,
              },
            ],
          },
        };
  return openSession(context, { customer, return_url: `${page}?checkout=cancelled`, flow_data });
}

/** Opens a session of our portal, which `npm run stripe:setup` configures. */
async function openSession({ billing }: BillingContext, params: SessionParams): Promise<string> {
  const { configurations, sessions } = billing.stripe.billingPortal;
  const all = await configurations.list({ active: true, limit: 100 });
  const ours = all.data.find(({ metadata }) => metadata?.packshot === 'portal');
  const session = await sessions.create({ ...params, ...(ours && { configuration: ours.id }) });
  return session.url;
}
