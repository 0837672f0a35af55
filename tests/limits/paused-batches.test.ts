/** Batches that are paused while the plan that pays for them ends, and resumed afterwards. */

import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type BatchAction, type BatchView, limits, type PlanId, paths, withoutItems } from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { type Billing, openBilling } from '#shared/billing/client.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { type CampaignStack, concurrency } from '#tests/campaigns/support/stack.ts';
import { requestAs, signIn } from '#tests/support/api-client.ts';
import { sha256Of } from '#tests/support/batches.ts';
import { samplePhotoFile } from '#tests/support/sample-photo.ts';
import { createPaidAccounts } from './accounts.ts';
import { requestBatch, rowsOf, sendPhoto } from './batch-requests.ts';
import { atMost, type Figure, testAttack } from './runner.ts';

/** A seller's plan and batch, and what ends the plan while the batch is paused. */
interface Plot {
  what: string;
  plan: PlanId;
  /** Rows of the batch, each with the most takes. */
  rows: number;
  /** @param subscription the seller's */
  endPlan(billing: Billing, seller: { customer: string; subscription: string }): Promise<unknown>;
}

/** Images of a batch that are at the provider when it is paused. */
const underWay = concurrency;

const plots: readonly Plot[] = [
  {
    what: 'of a month that was refunded',
    plan: 'freelance',
    rows: 25,
    async endPlan({ stripe }, { customer, subscription }) {
      const { data } = await stripe.charges.list({ customer });
      for (const { id } of data) await stripe.refunds.create({ charge: id });
      await stripe.subscriptions.cancel(subscription);
    },
  },
  {
    what: 'of an unlimited plan that was followed by Freelance',
    plan: 'enterprise',
    rows: limits.batchRows,
    async endPlan({ stripe, catalogue }, { subscription }) {
      const { items } = await stripe.subscriptions.retrieve(subscription);
      await stripe.subscriptions.update(subscription, {
        items: [{ id: items.data[0]!.id, price: (await catalogue()).freelance.priceId }],
        billing_cycle_anchor: { type: 'now' },
        proration_behavior: 'none',
      });
    },
  },
];

testAttack(
  'batches are paused, their plan ends, and they are resumed',
  async (stack) => {
    const figures: Figure[] = [];
    for (const plot of plots) figures.push(await carryOut(stack, plot));
    return figures;
  },
  { settings: { BATCH_WINDOW: String(underWay) } },
);

async function carryOut(stack: CampaignStack, plot: Plot): Promise<Figure> {
  const { url, images } = stack;
  const [account] = await createPaidAccounts(stack, 1, 'attack', plot.plan);
  const { user, token } = await signIn(url, account!);
  const photo = await readFile(samplePhotoFile);
  const { batch } = await requestBatch(url, token, sharedPhoto(plot.rows, sha256Of(photo)));
  const id = batch!.id;
  await sendPhoto(url, token, id, photo);
  await images.set({ default: { kind: 'hold' } });
  await act(stack, token, id, 'start');
  await images.waitFor({ waiting: underWay });
  await act(stack, token, id, 'pause');
  await endPlanOf(stack, user.id, plot);
  await request(stack, token, 'GET', paths.subscription);
  // Those at the provider are finished.
  await images.reset();
  await act(stack, token, id, 'resume');
  const { images: all, succeeded } = (await atRest(stack, token, id)).counts;
  // What was at the provider when the plan ended is made.
  const made = succeeded - underWay;
  return atMost(`images ${plot.what}, made after it, of ${all}`, made, 0);
}

const sharedPhoto = (rows: number, sha256: string) =>
  rowsOf(rows, []).map((row) => ({ ...row, photos: [{ name: 'cup.png', sha256 }] }));

async function endPlanOf({ db, config }: CampaignStack, sellerId: string, plot: Plot): Promise<void> {
  const profile = await findProfile(db, sellerId);
  const seller = { customer: profile!.stripe_customer_id!, subscription: profile!.subscription_id! };
  await plot.endPlan(openBilling(config.billing), seller);
}

/** @returns the reply, whatever its status */
async function request(
  { url }: CampaignStack,
  ...asked: [token: string, method: 'GET' | 'POST', path: string]
): Promise<unknown> {
  return (await requestAs(url, ...asked)).json();
}

const act = (stack: CampaignStack, token: string, id: string, action: BatchAction) =>
  request(stack, token, 'POST', batchPaths.batchAction(id, action));

const pollIntervalMs = 200;

/** Polls until nothing of a batch is under way, and it does not run. */
async function atRest(stack: CampaignStack, token: string, id: string): Promise<BatchView> {
  for (;;) {
    const view = (await request(stack, token, 'GET', batchPaths.batch(id) + withoutItems)) as BatchView;
    if (view.state !== 'running' && view.counts.underWay === 0) return view;
    await wait(pollIntervalMs);
  }
}
