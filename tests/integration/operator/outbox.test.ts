/** Operators and what failed: mails, events of Stripe, calls of the alert webhook; and the banner for sellers. */
import { expect } from 'vitest';
import {
  type OperatorActionList,
  type OperatorEventList,
  type OperatorMailList,
  type OperatorWebhookCallList,
  operatorPaths,
  paths,
  type Service,
} from '#contract';
import {
  claimWebhookCall,
  delayWebhookCall,
  endWebhookCall,
  insertWebhookCall,
} from '#shared/data/operator/webhook-calls.ts';
import { type AlertNews, webhookBody } from '#shared/mail/alert-message.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { call } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { operatorOf } from '#tests/support/operator.ts';
import type { Seller } from '#tests/support/seller.ts';
import { profileOf, subscriber } from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';
import { newAddress } from '#tests/support/visitor.ts';

const test = testWithStack({ workers: 0 }).extend('operator', { scope: 'file' }, ({ stack }) =>
  operatorOf(stack),
);
const reason = 'The cause is mended';

test('a mail that was given up is sent again, by one of two operators, and its text is never shown', async ({
  stack,
  operator,
}) => {
  const second = await operatorOf(stack);
  await stack.models.mails.deleteMany({});
  await stack.mails.behave({ behaviour: 'refuse', count: 1 });
  const worker = await stack.startWorker();
  const to = newAddress();
  await enqueueMail(stack.db, stack.server.context.relay, 'accountDeleted', to, { fullName: 'Ada' });
  const list = async () => (await operator.request<OperatorMailList>(operatorPaths.mails)).body;
  await expect.poll(async () => (await list()).failed[0]?.canSendAgain, eventually).toBe(true);
  const { failed } = await list();
  expect(failed).toMatchObject([
    { kind: 'accountDeleted', to, attempts: 1, failure: expect.stringContaining('550'), nextTryAt: null },
  ]);
  expect(JSON.stringify(failed)).not.toContain('Ada');

  const { id } = failed[0]!;
  const both = await Promise.all(
    [operator, second].map((each) => call(each, 'POST', operatorPaths.sendMail(id), { reason })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await stack.mails.waitForMail({ to })).text).toContain('Ada');
  await expect.poll(async () => (await list()).failed, eventually).toEqual([]);
  expectError(await call(operator, 'POST', operatorPaths.sendMail(id), { reason }), 'NOT_REPEATABLE');
  await worker.close();
  const { body } = await operator.request<OperatorActionList>(`${operatorPaths.actions}?target=${id}`);
  expect(body.actions.map(({ outcome }) => outcome)).toEqual([
    'refused',
    expect.anything(),
    expect.anything(),
  ]);
  expect(body.actions.map(({ outcome }) => outcome).sort()).toEqual(['done', 'refused', 'refused']);
});

test('an event of Stripe that was not handled is handled again', async ({ stack, operator }) => {
  const seller = await subscriber(stack, 'freelance');
  const customer = (await profileOf(stack, seller)).stripe_customer_id;
  const events = async () => (await operator.request<OperatorEventList>(operatorPaths.events)).body.events;
  await expect.poll(events, eventually).toEqual([]);
  const received = new Date(Date.now() - 60_000);
  await stack.models.stripeEvents.create({
    _id: 'evt_lost',
    type: 'invoice.paid',
    customer,
    charge: null,
    received_at: received,
    tries: 3,
    due_at: new Date(Date.now() + 3_600_000),
  });
  expect(await events()).toMatchObject([{ id: 'evt_lost', type: 'invoice.paid', customer, tries: 3 }]);
  const handle = () => call(operator, 'POST', operatorPaths.handleEvent('evt_lost'), { reason });
  await stack.stripe.set({ faults: Array(200).fill({ when: 'before', status: 500, match: customer }) });
  expectError(await handle(), 'SUBSCRIPTION_UNREADABLE');
  expect(await events()).toMatchObject([{ id: 'evt_lost', tries: 4 }]);
  await stack.stripe.reset();
  const answer = await handle();
  expect(answer).toMatchObject({ status: 200, body: { events: [] } });
  expectError(await handle(), 'NOT_REPEATABLE');
});

test('a call of the alert webhook that was given up is due again, once', async ({ stack, operator }) => {
  const { db, models } = stack;
  const second = await operatorOf(stack);
  const list = async () =>
    (await operator.request<OperatorWebhookCallList>(operatorPaths.webhookCalls)).body.failed;
  expect(await list()).toEqual([]);
  const at = new Date();
  const news: Omit<AlertNews, 'id'> = {
    alert: 'oldest-waiting',
    event: 'began',
    at,
    since: at,
    details: 'An image has been waiting for 12 min.',
  };
  const [given, waits] = ['oldest-waiting.began.1', 'oldest-waiting.ended.2'];
  for (const id of [given!, waits!, 'oldest-waiting.accepted.3']) {
    await insertWebhookCall(db, id, webhookBody({ ...news, id }, stack.url));
    const call = (await claimWebhookCall(db, 60_000))!;
    if (id === given) await endWebhookCall(db, call, 'answered 410');
    else if (id === waits) await delayWebhookCall(db, call, 60_000, 'no answer in time');
    else await endWebhookCall(db, call, null);
  }
  const told = { title: 'Alert: An image waits for too long', details: news.details, attempts: 1 };
  expect(await list()).toMatchObject([
    { id: waits, ...told, failure: 'no answer in time', nextTryAt: expect.any(String) },
    { id: given, ...told, failure: 'answered 410', nextTryAt: null },
  ]);
  const send = (each: Seller, id: string) => call(each, 'POST', operatorPaths.callWebhook(id), { reason });
  expectError(await send(operator, waits!), 'NOT_REPEATABLE');
  const both = await Promise.all([operator, second].map((each) => send(each, given!)));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await models.webhookCalls.findById(given).lean())!.ended_at).toBeNull();
  expect((await claimWebhookCall(db, 60_000))!._id).toBe(given);
  const { body } = await operator.request<OperatorActionList>(`${operatorPaths.actions}?target=${given}`);
  expect(body.actions.map(({ action, outcome }) => `${action} ${outcome}`).sort()).toEqual([
    'call-webhook-again done',
    'call-webhook-again refused',
  ]);
});

test('sellers read the banner until it is removed or its time is over', async ({ stack, operator }) => {
  const service = async () => (await (await fetch(stack.url + paths.service)).json()) as Service;
  const set = (body: object) => call(operator, 'PUT', operatorPaths.banner, { reason, ...body });
  expect((await service()).banner).toBeNull();
  const until = new Date(Date.now() + 60_000).toISOString();
  const banner = { text: 'Images take longer than usual today.', until, closedFrom: null, closedUntil: null };
  const { closedUntil: _, ...asked } = banner;
  expect((await set(asked)).body).toEqual({ banner });
  expect((await service()).banner).toEqual(banner);
  await stack.models.banners.updateOne({}, { until: new Date(Date.now() - 1) });
  expect((await service()).banner).toBeNull();

  expect((await set({ text: ' Again ', until: null })).body).toEqual({
    banner: { text: 'Again', until: null, closedFrom: null, closedUntil: null },
  });
  const removed = await call(operator, 'DELETE', operatorPaths.banner, { reason });
  expect(removed.body).toEqual({ banner: null });
  expect((await service()).banner).toBeNull();

  expectError(await set({ text: ' ', until: null }), 'VALIDATION', {
    message: 'Please enter a text.',
    field: 'text',
  });
  expectError(await set({ text: 'x'.repeat(301), until: null }), 'VALIDATION', {
    message: 'Please enter at most 300 characters.',
    field: 'text',
  });
  expectError(await set({ text: 'Late', until: new Date(0).toISOString() }), 'VALIDATION', {
    message: 'Please choose a time in the future.',
    field: 'until',
  });
});

test('bull-board shows the jobs to operators only, and changes nothing', async ({ stack, operator }) => {
  const seller = await stack.seller();
  const anonymous = await fetch(stack.url + operatorPaths.queueBoard);
  expect(anonymous.status).toBe(401);
  for (const path of ['', '/api/queues', '/static/js/main.js']) {
    expectError(await seller.request(operatorPaths.queueBoard + path), 'OPERATORS_ONLY');
  }
  await seller.submit();
  const queues = await operator.request<{ queues: { counts: object; readOnlyMode: boolean }[] }>(
    `${operatorPaths.queueBoard}/api/queues`,
  );
  expect(queues).toMatchObject({ status: 200, body: { queues: [{ readOnlyMode: true }] } });
  const { queueName } = stack.config;
  const pause = await call(operator, 'PUT', `${operatorPaths.queueBoard}/api/queues/${queueName}/pause`, {});
  expect(pause.status).toBe(405);
  expect((await operator.request(operatorPaths.queue)).body).toMatchObject({ paused: false, waiting: 1 });
});
