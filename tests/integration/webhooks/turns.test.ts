/** Endpoints that answer well and slowly take only so much of a worker. */
import { expect, vi } from 'vitest';
import { limits, testEvent } from '#contract';
import { insertDelivery } from '#shared/data/webhooks/deliveries.ts';
import type { Outbound } from '#shared/outbound/outbound.ts';
import { createLog } from '#shared/platform/log.ts';
import { eventually } from '#tests/support/harness.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { makeWebhook } from '#tests/support/webhook-receiver.ts';
import { accountTurns, startWebhookDelivery, turnEvents } from '#worker/webhooks/webhook-delivery.ts';

const test = testWithSeller({ workers: 0, settings: { WEBHOOKS_TO_LOOPBACK: 'true' } }).extend(
  'start',
  ({ stack: { config, db } }, { onCleanup }) => {
    /** Starts sending in this process, to receivers that a test controls. */
    return async (slots?: number) => {
      const { outbound, ...calls } = createCalls();
      // Nothing fails, so nobody is told.
      const context = { config, db, relay: {} as never, log: createLog(config, 'test webhooks') };
      const { ready, mend, stop } = startWebhookDelivery(context, { outbound, ...(slots && { slots }) });
      onCleanup(() => {
        calls.letGo();
        return stop();
      });
      await ready();
      return { ...calls, mend };
    };
  },
);

/** Receivers that answer when a test lets them. */
function createCalls() {
  const sent: string[] = [];
  const open: string[] = [];
  const held = Promise.withResolvers<void>();
  let beforeEach = () => {};
  const outbound: Outbound = {
    get: () => Promise.reject(new Error('nothing is read')),
    async post(address) {
      const { pathname } = new URL(address);
      sent.push(pathname);
      open.push(pathname);
      await held.promise;
      beforeEach();
      open.splice(open.indexOf(pathname), 1);
      return { status: 204, retryAfter: undefined, body: '' };
    },
  };
  return {
    outbound,
    /** The paths that were called, in order. */
    sent,
    /** The paths whose call was not answered yet. */
    open: () => open,
    /** Answers all calls, also those that follow. @param each is done before each answer */
    letGo(each = () => {}) {
      beforeEach = each;
      held.resolve();
    },
  };
}

/** Makes a webhook with events that have been due for some minutes. */
async function makeDue(
  stack: TestStack,
  seller: Seller,
  path: string,
  { events = 1, minutes = 10, mode }: { events?: number; minutes?: number; mode?: 'test' } = {},
): Promise<void> {
  const { id } = await makeWebhook(seller, `http://127.0.0.1:9${path}`, ['batch.finished'], mode);
  const { profile } = (await stack.models.webhookEndpoints.findById(id).lean())!;
  for (let number = 0; number < events; number += 1) {
    const event = `msg_${path.slice(1)}_${number}`;
    await insertDelivery(stack.db, {
      profile,
      endpoint: id,
      event,
      type: testEvent,
      object: event,
      body: '{}',
    });
  }
  const dueAt = new Date(Date.now() - minutes * 60_000);
  await stack.models.webhookDeliveries.updateMany({ endpoint: id }, { $set: { due_at: dueAt } });
}

const repeated = (path: string, times: number): string[] => Array(times).fill(path);

test('after some time another endpoint has its turn, and after some events', async ({
  stack,
  seller,
  start,
}) => {
  await makeDue(stack, seller, '/slow', { events: 5, minutes: 30 });
  await makeDue(stack, seller, '/fast', { events: turnEvents + 1, minutes: 20 });
  await makeDue(stack, seller, '/well', { minutes: 10 });
  const { mend, sent, letGo } = await start(1);
  // Each answer of the slow one takes three fifths of a turn, by the clock of this process, and nothing else takes any time.
  let later = 0;
  const timing = vi.spyOn(performance, 'now').mockImplementation(() => later);
  expect(await mend()).toEqual({ webhooksMended: 3 });
  letGo(() => {
    if (sent.at(-1) === '/slow') later += limits.webhookSeconds * 600;
  });
  await expect.poll(() => sent.length, eventually).toBe(turnEvents + 7);
  timing.mockRestore();
  expect(sent).toEqual([
    ...repeated('/slow', 2),
    ...repeated('/fast', turnEvents),
    '/well',
    ...repeated('/slow', 2),
    '/fast',
    '/slow',
  ]);
});

test('an account has some turns at a time, live and test together, and others are not delayed', async ({
  stack,
  seller,
  start,
}) => {
  for (let number = 0; number < accountTurns; number += 1) {
    await makeDue(stack, seller, `/live-${number}`, { events: 2, minutes: 30 });
    await makeDue(stack, seller, `/test-${number}`, { events: 2, minutes: 20, mode: 'test' });
  }
  const endpoints = 2 * accountTurns;
  const { mend, sent, open, letGo } = await start();
  // Whoever comes last waits for nobody.
  for (const path of ['/other', '/another']) {
    await makeDue(stack, await stack.seller(), path);
    await mend();
    await expect.poll(open, eventually).toContain(path);
  }
  const ofSeller = () => open().filter((path) => !/other$/.test(path)).length;
  await expect.poll(ofSeller, eventually).toBe(accountTurns);
  let most = 0;
  letGo(() => {
    most = Math.max(most, ofSeller());
  });
  await expect.poll(() => sent.length, eventually).toBe(2 * endpoints + 2);
  expect(most).toBeLessThanOrEqual(accountTurns);
  expect(new Set(sent).size).toBe(endpoints + 2);
});
