/** A year of a shop with 25 sellers, month by month: after every month the books are whole and Stripe says the same. */
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type GenerationSet,
  type GenerationView,
  type PlanId,
  paths,
  plans,
  type SubscriptionStatus,
} from '#contract';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { limitMs } from '#tests/support/machine.ts';
import type { Answer, Seller } from '#tests/support/seller.ts';
import { startTestStack, type TestStack } from '#tests/support/stack.ts';
import { checkoutSessionId, payByCheckout, profileOf, requestPlan } from '#tests/support/subscriber.ts';

const seed = randomInt(2 ** 31);
console.log(`year.test.ts: seed ${seed}`);

const sellerCount = 25;
const months = 12;
/** Images that a seller asks for at a time. */
const atOnce = 2;
const good = '4242424242424242';
const failing = '4000000000000341';

/** Numbers from 0 up to 1 that the seed decides (mulberry32). */
function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
const random = randomOf(seed);
const chance = (probability: number) => random() < probability;
const anyPlan = (): PlanId => (chance(0.65) ? 'freelance' : 'enterprise');

const refusedByPolicy = {
  kind: 'error',
  status: 400,
  code: 'moderation_blocked',
  type: 'image_generation_user_error',
} as const;

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ workers: 2 });
});
afterAll(() => stack.close());

/** What happened in the year, so that nobody has to believe that anything did. */
const count = {
  signUps: 0,
  upgrades: 0,
  downgrades: 0,
  failures: 0,
  cancellations: 0,
  returns: 0,
  generations: 0,
  failedGenerations: 0,
  refusals: 0,
  freeCancels: 0,
  stops: 0,
};

/** The command that operators type, on the data of this stack. */
async function audit(): Promise<string> {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [join(rootFolder, 'scripts', 'audit', 'main.ts')], {
    env: childEnvironment(stack.settings),
  }).catch((error: { stdout: string }) => error);
  return stdout.trim();
}

/** One thing that a seller may do in a month. */
async function live(seller: Seller): Promise<void> {
  const profile = await profileOf(stack, seller);
  const { subscription_status: status, stripe_customer_id: customer, subscription_plan: plan } = profile;
  if (status === 'inactive' || status === 'canceled') {
    if (!chance(0.4)) return;
    if (status === 'canceled') count.returns += 1;
    await payByCheckout(stack, seller, anyPlan());
    return;
  }
  if (status === 'past_due') {
    if (chance(0.6)) await stack.stripe.setCard(customer!, good);
    return;
  }
  const mood = random();
  if (mood < 0.15) {
    const other = plan === 'freelance' ? 'enterprise' : 'freelance';
    const { status: answered } = await requestPlan(seller, other);
    if (answered === 200) count[other === 'enterprise' ? 'upgrades' : 'downgrades'] += 1;
  } else if (mood < 0.25) {
    await stack.stripe.setCard(customer!, failing);
  } else if (mood < 0.35) {
    const { stripe } = stack.server.context.billing;
    const { schedule } = await stripe.subscriptions.retrieve(profile.subscription_id!);
    if (schedule === null) await stack.stripe.cancelAtPeriodEnd(profile.subscription_id!);
  }
}

/** Asks for so many images and waits for their ends. @returns how many were accepted */
async function generate(seller: Seller, images: number): Promise<number> {
  const window = await seller.openWindow();
  const answers: Answer<GenerationSet>[] = [];
  // As many at a time as one seller has windows: a server that is asked for more at once says that it is busy.
  while (answers.length < images) {
    const some = Math.min(atOnce, images - answers.length);
    answers.push(...(await Promise.all(Array.from({ length: some }, () => seller.send()))));
  }
  const accepted = answers.filter(({ status }) => status === 202);
  const ends = await Promise.all(accepted.map(({ body }) => window.untilEnded(body.generations[0]!.id)));
  window.close();
  count.generations += ends.filter(({ state }) => state === 'succeeded').length;
  count.failedGenerations += ends.filter(({ state }) => state === 'failed').length;
  count.refusals += answers.length - accepted.length;
  for (const { status } of answers) expect([202, 402]).toContain(status);
  return accepted.length;
}

/** Asks for two images: one is cancelled before its first preview, one is stopped after it. */
async function changeMind(seller: Seller): Promise<void> {
  const window = await seller.openWindow();
  for (const after of [undefined, 'previews'] as const) {
    await stack.images.set({ behaviours: [{ kind: 'hold', after }] });
    const { status, body } = await seller.send();
    if (status !== 202) break;
    const [{ id }] = body.generations as [GenerationView];
    if (after) await window.until(id, ({ previewUrl }) => previewUrl !== null);
    // Otherwise its call may arrive after the cancel, and take the behaviour of the next one.
    else await stack.images.waitFor({ active: 1 });
    const answer = await seller.request<GenerationView>(paths.cancelGeneration(id), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ useImage: after !== undefined }),
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { state: 'cancelled', imageUsed: after !== undefined },
    });
    count[after ? 'stops' : 'freeCancels'] += 1;
    await stack.images.waitFor({ active: 0 });
  }
  window.close();
  await stack.images.reset();
}

test('a year of 25 sellers: the audit is clean after every month', {
  timeout: limitMs(900_000),
}, async () => {
  const sellers: Seller[] = [];
  const statuses = new Map<SubscriptionStatus, number>();
  for (let month = 1; month <= months; month += 1) {
    // Some come each month, all are there before the year is over.
    const joining = month === 1 ? 10 : sellers.length < sellerCount ? 3 : 0;
    for (let index = 0; index < joining && sellers.length < sellerCount; index += 1) {
      const seller = await stack.seller({ plan: anyPlan(), paid: false });
      sellers.push(seller);
      count.signUps += 1;
      if (!chance(0.85)) continue;
      const { body } = await requestPlan(seller, anyPlan());
      await stack.stripe.completeCheckout(checkoutSessionId(body));
    }
    await stack.stripe.settled();
    for (const seller of sellers) await live(seller);
    await stack.stripe.settled();

    // A fifth of the calls fail: those images are not counted.
    await stack.images.set({
      behaviours: Array.from({ length: 40 }, () =>
        chance(0.2) ? refusedByPolicy : ({ kind: 'ok' } as const),
      ),
    });
    for (const seller of sellers) if (chance(0.3)) await generate(seller, 1 + Math.floor(random() * 3));
    await stack.images.reset();
    for (const seller of sellers) if (chance(0.1)) await changeMind(seller);
    if (month === 3) {
      // Somebody who uses a month up to the last image, and asks for more.
      const heavy = await stack.seller({ paid: false });
      sellers.push(heavy);
      await payByCheckout(stack, heavy, 'freelance');
      const most = plans.freelance.monthlyGenerations!;
      expect(await generate(heavy, most + 5)).toBe(most);
    }

    await stack.stripe.advance({ months: 1 });
    for (const seller of sellers) {
      const { subscription_status: status } = await profileOf(stack, seller);
      if (status === 'past_due') count.failures += 1;
      if (status === 'canceled') count.cancellations += 1;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(await audit(), `after month ${month}`).toMatch(
      /^audit: \d+ profiles, \d+ generations, 0 findings$/,
    );
  }
  console.log('year.test.ts:', count, Object.fromEntries(statuses));
  expect(sellers.length).toBeGreaterThanOrEqual(sellerCount);
  for (const [what, times] of Object.entries(count)) expect(times, what).toBeGreaterThan(0);
});
