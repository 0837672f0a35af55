/** Paid plans without Stripe: the billing state is made up and saved by the product's own code. */

import type { PlanId } from '#contract';
import type { BillingState, PaidInvoice } from '#shared/billing/billing-state.ts';
import { applyBillingState } from '#shared/billing/sync.ts';
import { type Db, newId } from '#shared/data/db.ts';
import { beginReading } from '#shared/data/profiles/billing.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';

const monthMs = 30 * 86_400_000;
const graceMs = 3 * 86_400_000;

/** The billing state of a seller with a paid plan. @param invoices ids of the paid invoices, oldest first */
export function paidState(plan: PlanId, invoices: readonly string[]): BillingState {
  const start = new Date(Math.floor(Date.now() / 1_000) * 1_000);
  const end = new Date(start.getTime() + monthMs);
  return {
    customer: 'there',
    subscription: {
      id: 'sub_made_up',
      itemId: 'si_made_up',
      status: 'active',
      plan,
      periodStart: start,
      periodEnd: end,
      planSince: start,
      cancelAtPeriodEnd: false,
      isWithdrawalDue: false,
      pinnedPrice: null,
      trialEnd: null,
      payment: { method: 'card', brand: 'visa', last4: '4242' },
      nextPlan: null,
      scheduleId: null,
      refunded: false,
    },
    paid: invoices.map((id, index): PaidInvoice => {
      return { id, paidAt: new Date(start.getTime() + index), period: { plan, start, end }, refunded: false };
    }),
    packs: [],
  };
}

/** Applies a billing state, as `syncBilling` does. @returns the profile after it */
export async function applyState(db: Db, sellerId: string, state: BillingState): Promise<ProfileRow> {
  for (;;) {
    const before = await beginReading(db, sellerId);
    if (!before) throw new Error(`there is no profile ${sellerId}`);
    const after = await applyBillingState(db, before, state, graceMs);
    if (after) return after;
  }
}

/** Gives a seller one paid period of a plan. */
export function payFor(db: Db, sellerId: string, plan: PlanId): Promise<ProfileRow> {
  return applyState(db, sellerId, paidState(plan, [`in_${newId()}`]));
}
