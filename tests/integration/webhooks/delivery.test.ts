/** Events on their way to webhooks: what arrives, and what comes of receivers that fail. */

import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, expect } from 'vitest';
import {
  limits,
  testEvent,
  type V1Generation,
  v1Paths,
  type Webhook,
  type WebhookWithSecret,
  webhookPaths,
  webhookTries,
} from '#contract';
import { makeCertificate } from '#local/mail/certificate.ts';
import { youngFactorsSince } from '#shared/data/accounts/sign-in.ts';
import { insertDelivery } from '#shared/data/webhooks/deliveries.ts';
import { mostPreviousSecrets, removeWebhooksSince } from '#shared/data/webhooks/endpoints.ts';
import { call } from '#tests/support/account.ts';
import { callWithKey, giveKey } from '#tests/support/api-keys.ts';
import { sampleRows, startedBatch } from '#tests/support/batches.ts';
import { forfeitUntil } from '#tests/support/credits.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { findFreePort } from '#tests/support/free-port.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import type { Seller } from '#tests/support/seller.ts';
import { frequentUpkeep } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import {
  deliveriesTo,
  makeLate,
  makeWebhook,
  sendTest,
  startWebhookReceiver,
  verified,
} from '#tests/support/webhook-receiver.ts';

const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());

const test = testWithSeller({ settings: { ...frequentUpkeep, WEBHOOKS_TO_LOOPBACK: 'true' } });

const stateOf = async (seller: Seller, id: string) =>
  (await call<Webhook>(seller, 'GET', webhookPaths.webhook(id))).body;
const untilArrived = (path: string, count: number) =>
  expect.poll(() => receiver.at(path).length, eventually).toBe(count);
/** The states of what was sent to a webhook, newest first, when nothing waits for its first try. */
const untilTried = (seller: Seller, id: string, tries: number) =>
  expect
    .poll(async () => (await deliveriesTo(seller, id)).map((each) => each.tries.length), eventually)
    .toEqual([tries]);

test('an image that is ready, one that failed and one that was stopped: signed, and as the API shows them', async ({
  stack,
  seller,
}) => {
  const { secret } = await makeWebhook(seller, receiver.url('/images'));
  const key = await giveKey(stack, seller);
  const made = await insertImage(stack, seller, { form: { productName: 'متجر mug', sku: 'MUG-1' } });
  await stack.images.set({ behaviours: [contentRefused, { kind: 'hold' }] });
  const refused = await seller.submit();
  await untilArrived('/images', 2);
  const stopped = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  expect((await callWithKey(stack.url, key, 'POST', v1Paths.cancel(stopped.id))).status).toBe(200);
  await stack.images.release();
  await untilArrived('/images', 3);

  for (const [index, [id, type]] of [
    [made._id, 'generation.succeeded'],
    [refused.id, 'generation.failed'],
    [stopped.id, 'generation.cancelled'],
  ].entries()) {
    const arrived = receiver.at('/images')[index]!;
    const event = verified(arrived, secret);
    const { body: shown } = await callWithKey<V1Generation>(stack.url, key, 'GET', v1Paths.generation(id!));
    expect(event).toEqual({ type, timestamp: shown.endedAt, mode: 'live', data: shown });
    expect(arrived.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      'user-agent': expect.stringMatching(/^Packshot\//),
    });
    // Altered, or with another secret, a receiver refuses it.
    expect(() => verified({ ...arrived, body: `${arrived.body} ` }, secret)).toThrow();
    expect(() => verified(arrived, `whsec_${Buffer.alloc(32, 1).toString('base64')}`)).toThrow();
  }
});

test('only chosen events, and only of the own account', async ({ stack, seller }) => {
  const other = await stack.seller();
  const batchesOnly = await makeWebhook(seller, receiver.url('/batches-only'), ['batch.finished']);
  const ofAnother = await makeWebhook(other, receiver.url('/of-another'));
  const { id } = await makeWebhook(seller, receiver.url('/chosen'), ['generation.succeeded']);
  await insertImage(stack, seller);
  await untilArrived('/chosen', 1);
  await expect
    .poll(() => deliveriesTo(seller, id), eventually)
    .toMatchObject([{ state: 'delivered', type: 'generation.succeeded' }]);
  // Everything that is to be sent about an image is stored when it is settled, as it is when `insertImage` returns.
  expect(await deliveriesTo(seller, batchesOnly.id)).toEqual([]);
  expect(await deliveriesTo(other, ofAnother.id)).toEqual([]);
});

test('a batch that is done is told once', async ({ seller }) => {
  const { id: webhook, secret } = await makeWebhook(seller, receiver.url('/batch'), ['batch.finished']);
  const id = await startedBatch(seller, await sampleRows(2), 'Autumn');
  await untilArrived('/batch', 1);
  expect(verified(receiver.at('/batch')[0]!, secret)).toMatchObject({
    type: 'batch.finished',
    data: { id, name: 'Autumn', round: 1, images: { succeeded: 2, failed: 0, cancelled: 0 } },
  });
  expect(await deliveriesTo(seller, webhook)).toHaveLength(1);
});

test('a low balance is told once for each crossing, not with each image', async ({ stack, seller }) => {
  const { id, secret } = await makeWebhook(seller, receiver.url('/balance'), ['balance.low']);
  await forfeitUntil(stack, seller, 12);
  await insertImage(stack, seller);
  expect(await deliveriesTo(seller, id)).toEqual([]);
  for (let count = 0; count < 3; count += 1) await insertImage(stack, seller);
  await untilArrived('/balance', 1);
  expect(verified(receiver.at('/balance')[0]!, secret)).toMatchObject({
    type: 'balance.low',
    data: { plan: 'freelance', left: 10 },
  });
  // Also after the log has forgotten it.
  await stack.models.webhookDeliveries.deleteMany({ endpoint: id });
  await insertImage(stack, seller);
  expect(await deliveriesTo(seller, id)).toEqual([]);
  // The next paid month is another crossing.
  const nextPeriod = { 'subscription_data.current_period_start': new Date(Date.now() + 1_000) };
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: nextPeriod });
  await insertImage(stack, seller);
  await untilArrived('/balance', 2);
});

test(
  'receivers that are dead, hang, drip, lead on, never end or are gone; and one that is well is not delayed',
  async ({ stack, seller }) => {
    const certificate = await makeCertificate();
    const untrusted = createServer(certificate, (_, reply) => reply.end());
    untrusted.listen(0, '127.0.0.1');
    await once(untrusted, 'listening');
    const { port } = untrusted.address() as AddressInfo;
    receiver.ways
      .set('/hang', ['hang'])
      .set('/drip-head', ['drip-head'])
      .set('/drip-body', ['drip-body'])
      .set('/redirect', [{ status: 302, headers: { location: receiver.url('/led-on') } }])
      .set('/endless', ['endless'])
      .set('/reset', ['reset'])
      .set('/busy', [{ status: 503, headers: { 'retry-after': '600' }, body: 'later' }])
      .set('/gone', [{ status: 410, body: 'gone' }]);
    const expected: [
      url: string,
      state: string,
      failure: string | null,
      status: number | null,
      reply: RegExp,
    ][] = [
      [receiver.url('/hang'), 'waiting', 'timeout', null, /^$/],
      [receiver.url('/drip-head'), 'waiting', 'timeout', null, /^$/],
      [receiver.url('/drip-body'), 'waiting', 'timeout', null, /^$/],
      [receiver.url('/redirect'), 'waiting', 'redirect', 302, /^$/],
      // What it says after the first kilobyte is not read.
      [receiver.url('/endless'), 'delivered', null, 200, /^a{1024}$/],
      [receiver.url('/reset'), 'waiting', 'unreachable', null, /^$/],
      [receiver.url('/busy'), 'waiting', 'status', 503, /^later$/],
      [receiver.url('/gone'), 'failed', 'status', 410, /^gone$/],
      [`http://127.0.0.1:${await findFreePort()}/`, 'waiting', 'unreachable', null, /^$/],
      [`https://localhost:${port}/`, 'waiting', 'certificate', null, /^$/],
    ];
    const ids: string[] = [];
    for (const [url] of expected) ids.push((await makeWebhook(seller, url, ['batch.finished'])).id);
    const well = await stack.seller();
    const { id: wellId } = await makeWebhook(well, receiver.url('/well'));
    for (const id of ids) await sendTest(seller, id);
    await sendTest(well, wellId);
    await untilTried(well, wellId, 1);

    for (const [index, [url, state, failure, status, reply]] of expected.entries()) {
      // The next try may follow before this is read.
      await expect
        .poll(async () => (await deliveriesTo(seller, ids[index]!))[0]!.tries.length, eventually)
        .toBeGreaterThan(0);
      const [delivery] = await deliveriesTo(seller, ids[index]!);
      expect(delivery, url).toMatchObject({ state, type: testEvent });
      expect(delivery!.tries[0], url).toMatchObject({ failure, status, reply: expect.stringMatching(reply) });
      const waited = Date.parse(delivery!.nextTryAt ?? '') - Date.parse(delivery!.tries[0]!.at);
      if (url.endsWith('/busy')) expect(waited).toBeGreaterThanOrEqual(600_000);
    }
    expect(receiver.at('/led-on')).toEqual([]);
    // It was sent while the one that hangs was waited for.
    const [hanging] = (await deliveriesTo(seller, ids[0]!))[0]!.tries;
    const [sent] = (await deliveriesTo(well, wellId))[0]!.tries;
    expect(Date.parse(sent!.at)).toBeLessThan(Date.parse(hanging!.at) + hanging!.milliseconds);
    // The operating system takes some before it is stopped.
    expect(receiver.sentBytes()).toBeLessThan(50_000_000);
    const gone = ids[7]!;
    expect(await stateOf(seller, gone)).toMatchObject({ enabled: false, off: { reason: 'gone' } });
    await stack.mails.waitForMail({ to: seller.email, subject: 'We switched off one of your webhooks' });
    untrusted.close();
  },
  limitMs(90_000),
);

test(
  'each try has its own time and signature and the same id and body, and after the last one it is given up',
  async ({ stack, seller }) => {
    receiver.ways.set('/fails', [{ status: 500, body: 'x'.repeat(5_000) }]);
    const { id, secret } = await makeWebhook(seller, receiver.url('/fails'));
    const { id: deliveryId, eventId } = await sendTest(seller, id);
    for (let tries = 1; tries <= webhookTries; tries += 1) {
      await untilTried(seller, id, tries);
      // A receiver refuses what is signed for another time than now, and so a try that is signed as the first one was.
      await makeLate(stack, id);
    }
    const [delivery] = await deliveriesTo(seller, id);
    expect(delivery).toMatchObject({ state: 'failed', nextTryAt: null });
    expect(delivery!.tries.map(({ reply }) => reply.length)).toEqual(Array(webhookTries).fill(1_024));
    const arrived = receiver.at('/fails');
    expect(arrived).toHaveLength(webhookTries);
    for (const each of arrived) {
      expect(verified(each, secret)).toMatchObject({ type: testEvent });
      expect(each.headers['webhook-id']).toBe(eventId);
      expect(each.body).toBe(delivery!.body);
      expect(Math.abs(Number(each.headers['webhook-timestamp']) * 1_000 - each.at)).toBeLessThan(
        limitMs(2_000),
      );
    }
    expect(new Set(arrived.map(({ headers }) => headers['webhook-timestamp'])).size).toBeGreaterThan(1);
    expect(await stateOf(seller, id)).toMatchObject({ enabled: true, failingSince: expect.any(String) });

    // By hand it is sent again, with the same id; a success ends the row of failures.
    receiver.ways.delete('/fails');
    expect((await call(seller, 'POST', webhookPaths.resend(id, deliveryId))).status).toBe(202);
    await expect.poll(async () => (await deliveriesTo(seller, id))[0]!.state, eventually).toBe('delivered');
    expect(receiver.at('/fails').at(-1)!.headers['webhook-id']).toBe(eventId);
    expect(await stateOf(seller, id)).toMatchObject({ failingSince: null });
    expect((await deliveriesTo(seller, id))[0]!.tries).toHaveLength(webhookTries + 1);
  },
  limitMs(90_000),
);

test('events of one object arrive in order: a later one waits for an earlier one, and others do not', async ({
  stack,
  seller,
}) => {
  const { id } = await makeWebhook(seller, receiver.url('/order'));
  const { webhookDeliveries, webhookEndpoints } = stack.models;
  const tomorrow = new Date(Date.now() + 86_400_000);
  // Nothing is sent before all of them are due as they should be.
  await webhookEndpoints.updateOne({ _id: id }, { $set: { rest_until: tomorrow } });
  const insert = async (event: string, object: string, dueAt: Date) => {
    const type = testEvent;
    await insertDelivery(stack.db, { profile: seller.id, endpoint: id, event, type, object, body: '{}' });
    await webhookDeliveries.updateOne({ endpoint: id, event }, { $set: { due_at: dueAt } });
  };
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  await insert('msg_first', 'one object', tomorrow);
  await insert('msg_second', 'one object', minutesAgo(20));
  await insert('msg_other', 'another object', minutesAgo(10));
  await webhookEndpoints.updateOne({ _id: id }, { $set: { rest_until: null } });

  await untilArrived('/order', 1);
  const arrived = () => receiver.at('/order').map(({ headers }) => headers['webhook-id']);
  expect(arrived()).toEqual(['msg_other']);
  const second = await webhookDeliveries.findOne({ endpoint: id, event: 'msg_second' }).lean();
  expect(second).toMatchObject({ state: 'waiting', attempts: 0, tries: [] });
  expect(second!.due_at.getTime()).toBeGreaterThan(tomorrow.getTime());
  await makeLate(stack, id);
  await untilArrived('/order', 3);
  expect(arrived()).toEqual(['msg_other', 'msg_first', 'msg_second']);
});

test('a new secret and each one before sign for a day after it was replaced', async ({ stack, seller }) => {
  const { id, secret } = await makeWebhook(seller, receiver.url('/rotated'));
  const rotate = () => call<WebhookWithSecret>(seller, 'POST', webhookPaths.rotate(id));
  const secrets = [secret];
  for (const which of ['second', 'third']) {
    const { body } = await rotate();
    expect(body.secret, which).toMatch(/^whsec_/);
    const until = Date.parse(body.webhook.previousSecretUntil!);
    expect(until - Date.now()).toBeLessThanOrEqual(limits.webhookRotationHours * 3_600_000);
    secrets.push(body.secret);
  }
  expect(new Set(secrets).size).toBe(3);
  /** Which of the secrets sign the next event. */
  const signing = async () => {
    const before = receiver.at('/rotated').length;
    await sendTest(seller, id);
    await untilArrived('/rotated', before + 1);
    const arrived = receiver.at('/rotated').at(-1)!;
    const signatures = String(arrived.headers['webhook-signature']).split(' ').length;
    const accepted = secrets.filter((each) => {
      try {
        return verified(arrived, each);
      } catch {
        return false;
      }
    });
    expect(signatures).toBe(accepted.length);
    return accepted;
  };
  expect(await signing()).toEqual(secrets);
  const end = async (field: string) =>
    stack.models.webhookEndpoints.updateOne(
      { _id: id },
      { $set: { [`${field}.until`]: new Date(Date.now() - 1) } },
    );
  await end('earlier_secrets.0');
  expect(await signing()).toEqual(secrets.slice(1));
  await end('previous_secret');
  expect(await signing()).toEqual(secrets.slice(2));

  // What has ended makes room. A secret that a receiver may have is never dropped for another one.
  const statuses: number[] = [];
  for (let rotated = 0; rotated <= mostPreviousSecrets; rotated += 1) {
    const { status, body, headers } = await rotate();
    statuses.push(status);
    if (status === 200) secrets.push(body.secret);
    else expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(statuses).toEqual([...Array(mostPreviousSecrets).fill(200), 429]);
  expect(await signing()).toEqual(secrets.slice(2));
  const { earlier_secrets: earlier } = (await stack.models.webhookEndpoints.findById(id).lean())!;
  expect(earlier).toHaveLength(mostPreviousSecrets - 1);
});

test('one that fails for three days is switched off with one mail, and on again in one call', async ({
  stack,
  seller,
}) => {
  receiver.ways.set('/three-days', [{ status: 500 }]);
  const { id } = await makeWebhook(seller, receiver.url('/three-days'));
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const failing = (since: number, last: number) =>
    stack.models.webhookEndpoints.updateOne(
      { _id: id },
      { $set: { failing: { since: ago(since), last: ago(last), tries: 9 } } },
    );
  // Failures that are days apart are not three days of failing.
  await failing(24 * 10, 24 * 5);
  await sendTest(seller, id);
  await untilTried(seller, id, 1);
  expect(await stateOf(seller, id)).toMatchObject({ enabled: true });
  await failing(24 * limits.webhookFailingDays, 8);
  await makeLate(stack, id);
  await expect.poll(() => stateOf(seller, id), eventually).toMatchObject({ off: { reason: 'failing' } });
  expect(await deliveriesTo(seller, id)).toMatchObject([{ state: 'failed' }]);
  await stack.mails.waitForMail({ to: seller.email, subject: 'We switched off one of your webhooks' });

  // While it is off nothing is recorded for it, and nothing can be sent.
  await insertImage(stack, seller);
  expect(await deliveriesTo(seller, id)).toHaveLength(1);
  expect((await call(seller, 'POST', webhookPaths.test(id))).status).toBe(409);
  receiver.ways.delete('/three-days');
  const on = await call<Webhook>(seller, 'PATCH', webhookPaths.webhook(id), { enabled: true });
  expect(on.body).toMatchObject({ enabled: true, off: null, failingSince: null });
  await insertImage(stack, seller);
  await expect.poll(async () => (await deliveriesTo(seller, id))[0]!.state, eventually).toBe('delivered');
});

test('an account that is disabled or being deleted is told nothing more', async ({ stack, seller }) => {
  const { id } = await makeWebhook(seller, receiver.url('/disabled'));
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { disabled_at: new Date() } });
  await insertImage(stack, seller);
  await expect
    .poll(
      async () => (await stack.models.webhookDeliveries.findOne({ endpoint: id }).lean())?.state,
      eventually,
    )
    .toBe('failed');
  expect(receiver.at('/disabled')).toEqual([]);
});

test('a lost password takes webhooks with it that are young, or were pointed elsewhere since', async ({
  stack,
  seller,
}) => {
  const made = await Promise.all(
    ['/old', '/moved', '/signed-anew', '/young'].map((path) => makeWebhook(seller, receiver.url(path))),
  );
  const [old, moved, anew] = made.map(({ id }) => id) as [string, string, string];
  const longAgo = new Date(Date.now() - (limits.youngFactorDays + 1) * 86_400_000);
  await stack.models.webhookEndpoints.updateMany(
    { _id: { $in: [old, moved, anew] } },
    { $set: { created_at: longAgo, unchanged_since: longAgo } },
  );
  const events = ['batch.finished'];
  await call(seller, 'PATCH', webhookPaths.webhook(old), { url: receiver.url('/old'), events });
  await call(seller, 'PATCH', webhookPaths.webhook(moved), { url: receiver.url('/elsewhere') });
  await call(seller, 'POST', webhookPaths.rotate(anew));
  await removeWebhooksSince(stack.db, seller.id, youngFactorsSince());
  const left = await stack.models.webhookEndpoints.find({ profile: seller.id }).lean();
  expect(left.map(({ _id }) => _id)).toEqual([old]);
});
