/** What becomes of sellers' plans and packs: they buy and change them, a month is renewed, a payment is returned. */
import { setTimeout as wait } from 'node:timers/promises';
import { type PlanChangePreview, type PortalReply, paths, type SubscribeReply } from '#contract';
import { findProfile } from '#shared/data/profiles/find.ts';
import { type Action, click, outcome } from './requests.ts';

/** The pack that is sold: so few images that they are often used up. */
export const soldPack = { images: 3, priceCents: 200 };

/** Buys a plan, or moves to another one. */
export const changePlan: Action = async ({ stack }, seller, random) => {
  const planId = random.pick(['freelance', 'enterprise'] as const);
  const query = new URLSearchParams({ planId });
  const preview = await click<PlanChangePreview>(seller, 'GET', `${paths.planChangePreview}?${query}`);
  const dueNow = preview?.status === 200 ? preview.body.dueNow : null;
  const agreed = dueNow && { amount: dueNow.amount, prorationDate: dueNow.prorationDate };
  const reply = await click<SubscribeReply>(seller, 'POST', paths.subscribe, {
    planId,
    ...(agreed && { agreed }),
  });
  if (reply?.status !== 200 || !('url' in reply.body)) return `plan ${planId}: ${outcome(reply)}`;
  return `plan ${planId}, checkout: ${await payOn(stack, reply.body.url)}`;
};

/** Buys a pack of images. */
export const buyPack: Action = async ({ stack }, seller) => {
  const { images, priceCents } = soldPack;
  const body = { images, agreed: { amount: priceCents } };
  const reply = await click<PortalReply>(seller, 'POST', paths.imagePacks, body);
  if (reply?.status !== 200) return `pack: ${outcome(reply)}`;
  return `pack, checkout: ${await payOn(stack, reply.body.url)}`;
};

async function payOn({ stripe }: Parameters<Action>[0]['stack'], page: string): Promise<string> {
  const session = new URL(page).pathname.split('/').at(-1)!;
  const paid = await stripe.completeCheckout(session).catch(() => undefined);
  return paid?.outcome ?? 'Stripe did not answer';
}

/** What the bank does: returns a payment of the seller's in full, and sometimes takes that back. */
export const refund: Action = async ({ stack, db, billing }, seller, random) => {
  const customer = (await findProfile(db, seller.id).catch(() => null))?.stripe_customer_id;
  if (!customer) return 'refund: never paid';
  try {
    const { data } = await billing.stripe.charges.list({ customer, limit: 100 });
    const charges = data.filter(({ paid, refunded }) => paid && !refunded);
    if (charges.length === 0) return 'refund: nothing';
    const refunded = await billing.stripe.refunds.create({ charge: random.pick(charges).id });
    if (random.chance(0.7)) return `refund ${refunded.id}`;
    await wait(random.below(refundFailsWithinMs));
    await stack.stripe.failRefund(refunded.id);
    return `refund ${refunded.id}, which failed`;
  } catch (error) {
    return `refund: ${(error as Error).message}`;
  }
};

/** A refund fails at the latest after this time, in ms, in which it has been applied. */
const refundFailsWithinMs = 300;

/** A new period begins now, of the same plan or another one, and is paid. */
export const renew: Action = async ({ db, billing }, seller, random) => {
  const subscription = (await findProfile(db, seller.id).catch(() => null))?.subscription_id;
  if (!subscription) return 'renew: no plan';
  try {
    const { items } = await billing.stripe.subscriptions.retrieve(subscription);
    const plan = random.pick(['freelance', 'enterprise'] as const);
    const { priceId } = (await billing.catalogue())[plan];
    await billing.stripe.subscriptions.update(subscription, {
      items: [{ id: items.data[0]!.id, price: priceId }],
      billing_cycle_anchor: { type: 'now' },
      proration_behavior: 'none',
    });
    return `a new period of ${plan}`;
  } catch (error) {
    return `renew: ${(error as Error).message}`;
  }
};
