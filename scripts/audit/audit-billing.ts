import type Stripe from 'stripe';
import { liveStatuses } from '#contract';
import { computeBillingChange } from '#shared/billing/billing-change.ts';
import { type Billing, nullIfMissing } from '#shared/billing/client.ts';
import { customersOf } from '#shared/billing/customer.ts';
import { fetchBillingState } from '#shared/billing/fetch-billing-state.ts';
import { packKey } from '#shared/credits/pack-images.ts';
import type { Db } from '#shared/data/db.ts';
import { allProfilesAtStripe } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { Finding } from './finding.ts';

/**
 * Compares every seller's plan and grants with Stripe: payments without a grant, grants without a payment, and plans that
 * differ.
 * @throws Stripe's error when it does not answer
 */
export async function auditBilling(db: Db, billing: Billing, graceMs: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const profile of allProfilesAtStripe(db)) {
    findings.push(...(await auditSellerBilling(billing, profile, graceMs)));
  }
  return findings;
}

/** The same for one seller, who has, or had, a customer at Stripe. @throws Stripe's error when it does not answer */
export async function auditSellerBilling(
  billing: Billing,
  profile: ProfileRow,
  graceMs: number,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const found = (problem: string) => findings.push({ id: profile._id, problem });
  const customers = customersOf(profile);
  const state = await fetchBillingState(billing, customers, profile);
  const change = computeBillingChange(profile, state, graceMs, new Date());
  const payments = [...(change?.grants ?? []), ...(change?.packs ?? [])];
  for (const { key, count } of payments) found(`${key} was paid, but its ${count} images were not granted`);
  const corrections = [...(change?.refunds ?? []), ...(change?.reinstates ?? [])];
  for (const { key, count } of corrections)
    found(`the payment of ${key} was refunded or reinstated: ${count} images are not updated`);
  if (change && payments.length + corrections.length === 0) {
    const { subscription_status: status, subscription_plan: plan } = change.set;
    found(
      `differs from Stripe: ${plan}, ${status}, until ${change.set.subscription_data?.current_period_end}`,
    );
  }
  const paid = new Set(state.paid.map(({ id }) => `invoice:${id}`));
  for (const { key } of profile.grants.filter(
    (grant) => grant.key.startsWith('invoice:') && !paid.has(grant.key),
  )) {
    // Older than those that `fetchBillingState` reads, or of a customer that was deleted at Stripe.
    const invoice = await billing.stripe.invoices.retrieve(key.slice('invoice:'.length)).catch(nullIfMissing);
    const unknown = invoice === null && (state.customer !== 'there' || profile.former_customers.length > 0);
    if (invoice?.status !== 'paid' && !unknown) found(`${key} was granted, but is not paid`);
  }
  const paidPacks = new Set(state.packs.filter(({ isPaid }) => isPaid).map(({ id }) => packKey(id)));
  for (const { key } of (profile.packs ?? []).filter((pack) => !paidPacks.has(pack.key))) {
    const payment = await billing.stripe.paymentIntents
      .retrieve(key.slice('pack:'.length))
      .catch(nullIfMissing);
    const unknown = payment === null && (state.customer !== 'there' || profile.former_customers.length > 0);
    if (payment?.status !== 'succeeded' && !unknown) found(`${key} was added, but is not paid`);
  }
  const live = await liveSubscriptions(billing, customers);
  if (live.length > 1) found(`pays for ${live.length} subscriptions: ${live.map(({ id }) => id).join(', ')}`);
  return findings;
}

/** The subscriptions of a seller that are or may become payable. */
async function liveSubscriptions(
  { stripe }: Billing,
  customers: readonly string[],
): Promise<Stripe.Subscription[]> {
  const lists = await Promise.all(
    customers.map((customer) => stripe.subscriptions.list({ customer, limit: 100 }).catch(nullIfMissing)),
  );
  return lists
    .flatMap((list) => list?.data ?? [])
    .filter(({ status }) => (liveStatuses as readonly string[]).includes(status));
}
