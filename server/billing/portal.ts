import { pages } from '#contract';
import type { BillingContext } from '#shared/billing/client.ts';
import { customerOf } from '#shared/billing/customer.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { AppError } from '#shared/platform/errors.ts';

/**
 * @returns the address of a Stripe page for cards, invoices and cancelling the plan
 * @throws AppError PROFILE_NOT_FOUND, NO_BILLING or PORTAL_FAILED
 */
export async function portalUrl(context: BillingContext, sellerId: string): Promise<string> {
  const { db, billing, config } = context;
  const profile = await findProfile(db, sellerId);
  if (!profile) throw new AppError('PROFILE_NOT_FOUND');
  if (!profile.stripe_customer_id) throw new AppError('NO_BILLING');
  const { billingPortal } = billing.stripe;
  try {
    const customer = await customerOf(context, sellerId);
    const configurations = await billingPortal.configurations.list({ active: true, limit: 100 });
    const configuration = configurations.data.find(({ metadata }) => metadata?.packshot === 'portal');
    const session = await billingPortal.sessions.create({
      customer,
      return_url: `${config.linkUrl}${pages.plan}?portal=return`,
      ...(configuration && { configuration: configuration.id }),
    });
    return session.url;
  } catch (cause) {
    throw new AppError('PORTAL_FAILED', { cause });
  }
}
