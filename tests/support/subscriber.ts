/** Sellers who pay for their plan with Checkout of the local Stripe. */
import type Stripe from 'stripe';
import { expect } from 'vitest';
import {
  type Agreement,
  type ErrorReply,
  type PlanChangePreview,
  type PlanId,
  paths,
  type SubscribeReply,
  type SubscriptionView,
} from '#contract';
import { auditBilling } from '#scripts/audit/audit-billing.ts';
import { idOf } from '#shared/billing/catalogue.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { eventually } from '#tests/support/harness.ts';
import { call } from './account.ts';
import type { Answer, Seller } from './seller.ts';
import type { TestStack } from './stack.ts';

/** What a change of plan costs. */
export function previewPlan(
  seller: Pick<Seller, 'request'>,
  planId: string,
): Promise<Answer<PlanChangePreview & ErrorReply>> {
  return call(seller, 'GET', `${paths.planChangePreview}?${new URLSearchParams({ planId })}`);
}

/** Requests a plan, for an amount that is charged now. */
export function agreeToPlan(
  seller: Pick<Seller, 'request'>,
  planId: unknown,
  agreed?: Agreement,
): Promise<Answer<SubscribeReply & ErrorReply>> {
  return call(seller, 'POST', paths.subscribe, { planId, ...(agreed && { agreed }) });
}

/** What a preview asks to agree to. */
export const agreementTo = ({ dueNow }: PlanChangePreview): Agreement | undefined =>
  dueNow ? { amount: dueNow.amount, prorationDate: dueNow.prorationDate } : undefined;

/** Requests a plan, for the amount that the preview shows. */
export async function requestPlan(seller: Seller, planId: unknown): Promise<Answer<SubscribeReply>> {
  const { status, body } = await previewPlan(seller, String(planId));
  return agreeToPlan(seller, planId, status === 200 ? agreementTo(body) : undefined);
}

/** The id of a checkout session, from the URL of its page. */
export const checkoutSessionId = (reply: SubscribeReply): string => {
  if (!('url' in reply)) throw new Error(`the reply has no checkout page: ${JSON.stringify(reply)}`);
  return new URL(reply.url).pathname.split('/').at(-1)!;
};

/** Whether the page is a checkout, and not one of the portal for the payment of an upgrade. */
export const isCheckout = (reply: SubscribeReply): boolean =>
  'url' in reply && new URL(reply.url).pathname.startsWith('/c/pay/');

/** Pays for a plan and waits until Stripe's events are delivered. @param card number of a test card */
export async function payByCheckout(
  stack: TestStack,
  seller: Seller,
  plan: PlanId,
  card?: string,
): Promise<SubscriptionView> {
  const { status, body } = await requestPlan(seller, plan);
  if (status !== 200) throw new Error(`subscribe answered ${status}: ${JSON.stringify(body)}`);
  await stack.stripe.completeCheckout(checkoutSessionId(body), card);
  await stack.stripe.settled();
  return (await seller.me()).subscription;
}

/** Makes a seller who has paid for a plan through Checkout. */
export async function subscriber(stack: TestStack, plan: PlanId, card?: string): Promise<Seller> {
  const seller = await stack.seller({ plan, paid: false });
  await payByCheckout(stack, seller, plan, card);
  return seller;
}

export async function profileOf(stack: TestStack, seller: Seller): Promise<ProfileRow> {
  return (await stack.models.profiles.findById(seller.id).lean())!;
}

/** Holds the plan of a seller as a change of it does, until a time; null lets go of it. */
export async function leaseBilling(stack: TestStack, seller: Seller, until: Date | null): Promise<void> {
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { billing_lease_until: until } });
}

export const subscriptionOf = async (seller: Seller): Promise<SubscriptionView> =>
  (await seller.me()).subscription;

/** Test cards. A failing card can be attached, and every charge of it fails. */
export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  failing: '4000000000000341',
  /** Each payment needs 3-D Secure. */
  secure: '4000002760003184',
} as const;

/** Replaces the card of a seller who has a customer at Stripe. */
export async function setCard(stack: TestStack, seller: Seller, card: string): Promise<void> {
  await stack.stripe.setCard((await profileOf(stack, seller)).stripe_customer_id!, card);
}

export const stripe = (stack: TestStack) => stack.server.context.billing.stripe;

/** The charges of a seller's invoices, newest first. */
export async function chargesOf(stack: TestStack, seller: Seller): Promise<string[]> {
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  const invoices = await stripe(stack).invoices.list({ customer: customer!, expand: ['data.payments'] });
  return Promise.all(
    invoices.data.map(async ({ payments }) => {
      const intent = idOf(payments!.data[0]!.payment.payment_intent!);
      return (await stripe(stack).charges.list({ payment_intent: intent })).data[0]!.id;
    }),
  );
}

/** What was charged to a customer in all, in cents, and how often. */
export async function charged(
  stack: TestStack,
  customer: string,
): Promise<{ sum: number; payments: number }> {
  const { data } = await stripe(stack).charges.list({ customer, limit: 100 });
  const paid = data.filter((charge) => charge.paid);
  return { sum: paid.reduce((sum, { amount }) => sum + amount, 0), payments: paid.length };
}

/** Every event at Stripe about a customer, oldest first. */
export async function eventsAbout(stripe: Stripe, customer: string): Promise<Stripe.Event[]> {
  const events: Stripe.Event[] = [];
  const charges = new Set<string>();
  for await (const { id } of stripe.charges.list({ customer, limit: 100 })) charges.add(id);
  for await (const event of stripe.events.list({ limit: 100 })) {
    const about = event.data.object as { id?: string; customer?: string; charge?: string };
    const isAboutCustomer =
      about.id === customer || about.customer === customer || charges.has(about.charge ?? '');
    if (isAboutCustomer) events.unshift(event);
  }
  return events;
}

/** Delivers an event as Stripe does. @param signed replaces what is signed: the payload, the time or the secret */
export function deliver(
  stack: TestStack,
  event: object,
  signed: { payload?: string; timestamp?: number; secret?: string } = {},
): Promise<Response> {
  const payload = JSON.stringify(event);
  const header = stack.server.context.billing.stripe.webhooks.generateTestHeaderString({
    payload: signed.payload ?? payload,
    secret: signed.secret ?? stack.config.billing.webhookSecret,
    ...(signed.timestamp && { timestamp: signed.timestamp }),
  });
  return fetch(stack.url + paths.stripeWebhook, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': header },
    body: payload,
  });
}

/** Expects that the audit finds nothing, and that every profile agrees with Stripe. */
export async function expectClean(stack: TestStack): Promise<void> {
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  await expectStripeAgrees(stack);
}

/** As {@link expectClean}, once the generations that are under way have ended. */
export async function expectCleanSoon(stack: TestStack): Promise<void> {
  await expect.poll(() => stack.audit()).toEqual([]);
  await expectStripeAgrees(stack);
}

async function expectStripeAgrees(stack: TestStack): Promise<void> {
  const { billing, config, db } = stack.server.context;
  expect(await auditBilling(db, billing, config.billing.graceMs)).toEqual([]);
}
