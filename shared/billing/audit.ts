import type { Finding } from '../audit.ts';
import { liveStatuses } from '../contract/index.ts';
import type { Data } from '../data/connect.ts';
import { applyBilling } from './apply.ts';
import type { Billing } from './client.ts';
import { readBilling } from './read.ts';

/**
 * Holds every seller's plan and grants against what Stripe says: what was paid and not granted, granted and not paid,
 * shown and not so.
 * @throws Stripe's error when it does not answer
 */
export async function auditBilling(data: Data, billing: Billing, graceMs: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const profile of data.profiles
    .find({ stripe_customer_id: { $ne: null } })
    .lean()
    .cursor()) {
    const found = (problem: string) => findings.push({ id: profile._id, problem });
    const customer = profile.stripe_customer_id!;
    const state = await readBilling(billing, customer);
    const change = applyBilling(profile, state, graceMs, new Date());
    for (const { key, count } of change?.grants ?? [])
      found(`${key} was paid, its ${count} images are missing`);
    if (change && change.grants.length === 0) {
      const { subscription_status: status, subscription_plan: plan } = change.set;
      found(
        `Stripe says otherwise: ${plan}, ${status}, until ${change.set.subscription_data?.current_period_end}`,
      );
    }
    const paid = new Set(state.paid.map(({ id }) => `invoice:${id}`));
    for (const { key } of profile.grants) {
      if (key.startsWith('invoice:') && !paid.has(key)) found(`${key} was granted, but is not paid`);
    }
    const subscriptions = await billing.stripe.subscriptions.list({ customer, limit: 100 });
    const alive = subscriptions.data.filter(({ status }) =>
      (liveStatuses as readonly string[]).includes(status),
    );
    if (alive.length > 1)
      found(`pays for ${alive.length} subscriptions: ${alive.map(({ id }) => id).join(', ')}`);
  }
  return findings;
}
