/** Creates sellers. */
import type Stripe from 'stripe';
import type { PlanId } from '#contract';
import { localStripeKey } from '#scripts/stripe/local-key.ts';
import { hashPassword, verifyPassword } from '#server/accounts/passwords/passwords.ts';
import { type Billing, openBilling } from '#shared/billing/client.ts';
import { customerOf } from '#shared/billing/customer.ts';
import { fetchBillingState } from '#shared/billing/fetch-billing-state.ts';
import { applyBillingState } from '#shared/billing/sync.ts';
import { createAccount } from '#shared/data/accounts/create.ts';
import { findUserByEmail, setPassword } from '#shared/data/accounts/users.ts';
import { connectDb } from '#shared/data/connect.ts';
import type { Db } from '#shared/data/db.ts';
import { beginReading } from '#shared/data/profiles/billing.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { SellerDetails } from './demo-sellers.ts';

/**
 * Creates sellers with a confirmed address and a plan that is paid at a local Stripe, without the mail and the page that
 * people go through. Sellers who exist get this password again, and a plan if they never paid for one.
 * @returns for each seller whether it is new
 */
export async function makeSellers(
  { mongodbUrl, stripeUrl }: { mongodbUrl: string; stripeUrl: string },
  sellers: readonly SellerDetails[],
): Promise<boolean[]> {
  const db = await connectDb(mongodbUrl);
  const billing = openBilling({ secretKey: localStripeKey, apiUrl: stripeUrl });
  const isNew: boolean[] = [];
  for (const seller of sellers) isNew.push(await makeSeller({ db, billing }, seller));
  await db.close();
  return isNew;
}

async function makeSeller(
  { db, billing }: { db: Db; billing: Billing },
  { email, password, fullName, plan }: SellerDetails,
): Promise<boolean> {
  const present = await findUserByEmail(db, email);
  if (!present) {
    await createAccount(db, {
      email,
      fullName,
      passwordHash: await hashPassword(password, 'this program'),
      plan,
      verified: true,
    });
  }
  if (present && !(await verifyPassword(present, password, 'this program'))) {
    await setPassword(db, present, await hashPassword(password, 'this program'));
  }
  const user = await findUserByEmail(db, email);
  const profile = user && (await findProfile(db, user._id));
  if (!profile) throw new Error(`${email} has no profile`);
  if (profile.stripe_customer_id === null) await pay({ db, billing }, profile._id, plan);
  return !present;
}

/** Subscribes with Stripe's test card. */
export async function pay(
  { db, billing }: { db: Db; billing: Billing },
  sellerId: string,
  plan: PlanId,
): Promise<void> {
  const { stripe } = billing;
  const customer = await customerOf({ db, billing }, sellerId);
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const { priceId } = (await billing.catalogue())[plan];
  const wanted: Stripe.SubscriptionCreateParams = {
    customer,
    items: [{ price: priceId }],
    default_payment_method: card.id,
    metadata: { profile: sellerId },
  };
  await stripe.subscriptions.create(wanted);
  // The webhook does this too, but maybe after the first sign-in. Repeated if another process saved a newer state.
  for (;;) {
    const before = await beginReading(db, sellerId);
    if (
      !before ||
      (await applyBillingState(db, before, await fetchBillingState(billing, [customer], before), 0))
    )
      return;
  }
}
