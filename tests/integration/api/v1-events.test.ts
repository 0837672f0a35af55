/** Events as a stream: what arrives, in which order, and that going on loses and repeats nothing. */
import { once } from 'node:events';
import { afterAll, expect } from 'vitest';
import {
  type ApiKeyList,
  apiKeyPaths,
  type ErrorCode,
  errorDefinitions,
  limits,
  noEventId,
  type V1Batch,
  type V1Generation,
  v1EventsPath,
  v1Paths,
} from '#contract';
import { serverLimits } from '#contract/server-limits.ts';
import { newId } from '#shared/data/db.ts';
import { eventIdOf, forgetEventsAbout, recordEvent } from '#shared/data/webhooks/events.ts';
import { call } from '#tests/support/account.ts';
import { type allScopes, callWithKey, giveKey } from '#tests/support/api-keys.ts';
import { sampleRows, startedBatch } from '#tests/support/batches.ts';
import { type EventStream, openEventStream } from '#tests/support/event-stream.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { frequentUpkeep } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { untilUnread } from '#tests/support/unread-reply.ts';
import { makeWebhook, startWebhookReceiver } from '#tests/support/webhook-receiver.ts';

const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());

const test = testWithSeller({ settings: { ...frequentUpkeep, WEBHOOKS_TO_LOOPBACK: 'true' } })
  .extend('other', { scope: 'file' }, ({ stack }) => stack.startServer())
  .extend('streams', async ({ stack }, { onCleanup }) => {
    const open: EventStream[] = [];
    onCleanup(() => {
      for (const each of open) each.close();
    });
    return async (key: string, lastEventId?: string, url = stack.url) => {
      const stream = await openEventStream(url, key, lastEventId);
      open.push(stream);
      return stream;
    };
  });

const expectRefused = ({ status, refusal }: EventStream, code: ErrorCode, message = '') => {
  expect([status, refusal]).toMatchObject([
    errorDefinitions[code][0],
    { error: { code, message: expect.stringContaining(message) } },
  ]);
};

/** Records an event of a seller as the product does, about nothing. @param name unlike for all others of the seller */
const record = ({ db }: TestStack, { id: profile }: Seller, name: string, body = `{"name":"${name}"}`) =>
  recordEvent(db, {
    _id: eventIdOf(`${profile} ${name}`),
    profile,
    type: 'generation.succeeded',
    object: newId(),
    body,
  });

const namesOf = (stream: EventStream) => stream.events.map(({ data }) => JSON.parse(data).name as string);
const untilCame = (stream: EventStream, count: number) =>
  expect.poll(() => stream.events.length, eventually).toBe(count);

test('the events are those of webhooks, byte for byte and with their ids, as the API shows what they are about', async ({
  stack,
  seller,
  streams,
}) => {
  await makeWebhook(seller, receiver.url('/same'));
  const key = await giveKey(stack, seller);
  const stream = await streams(key);
  expect(stream.status).toBe(200);
  expect(Object.fromEntries(stream.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'packshot-version': expect.any(String),
  });
  expect(stream.lastId()).toBe(noEventId);

  const made = await insertImage(stack, seller, { form: { productName: 'متجر\u2028mug', sku: 'MUG-1' } });
  await stack.images.set({ behaviours: [contentRefused, { kind: 'hold' }] });
  const refused = await seller.submit();
  await untilCame(stream, 2);
  const stopped = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  expect((await callWithKey(stack.url, key, 'POST', v1Paths.cancel(stopped.id))).status).toBe(200);
  await stack.images.release();
  await untilCame(stream, 3);
  await stack.images.reset();
  const batch = await startedBatch(seller, await sampleRows(2), 'Autumn');
  await untilCame(stream, 6);

  for (const [index, [id, type]] of [
    [made._id, 'generation.succeeded'],
    [refused.id, 'generation.failed'],
    [stopped.id, 'generation.cancelled'],
  ].entries()) {
    const { body: shown } = await callWithKey<V1Generation>(stack.url, key, 'GET', v1Paths.generation(id!));
    const { event, data } = stream.events[index]!;
    expect([event, JSON.parse(data)]).toEqual([
      type,
      { type, timestamp: shown.endedAt, mode: 'live', data: shown },
    ]);
  }
  const last = stream.events.at(-1)!;
  expect(last.event).toBe('batch.finished');
  const told = JSON.parse(last.data) as { timestamp: string; data: V1Batch };
  expect(told).toMatchObject({
    timestamp: told.data.endedAt,
    data: {
      id: batch,
      name: 'Autumn',
      state: 'ended',
      round: 1,
      rows: 2,
      images: { total: 2, succeeded: 2 },
    },
  });

  await expect.poll(() => receiver.at('/same').length, eventually).toBe(6);
  const byId = (one: string[], two: string[]) => (one[0]! < two[0]! ? -1 : 1);
  expect(stream.events.map(({ id, data }) => [id!, data]).toSorted(byId)).toEqual(
    receiver
      .at('/same')
      .map(({ headers, body }) => [headers['webhook-id'] as string, body])
      .toSorted(byId),
  );
});

test(
  'recorded at once by many, and read over connections that break at two servers: each once, in one order',
  async ({ stack, seller, other, streams }) => {
    const key = await giveKey(stack, seller);
    const urls = [stack.url, other.url];
    const first = await streams(key);
    const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
    // Each is recorded twice at the same time, as by a process that repeats a step.
    const recording = Promise.all(
      names.flatMap((name, index) =>
        [0, 1].map(async () => {
          await new Promise((resolve) => setTimeout(resolve, index * 3));
          await record(stack, seller, name);
          stack.server.context.relay.publish(seller.id, { told: true });
        }),
      ),
    );
    const came: string[] = [];
    let [stream, breaks] = [first, 0];
    for (; came.length < names.length; breaks += 1) {
      // What came while it was opened counts as well.
      await expect.poll(() => stream.events.length, eventually).toBeGreaterThan(0);
      stream.close();
      await stream.ended;
      came.push(...namesOf(stream));
      stream = await streams(key, stream.lastId(), urls[breaks % 2]);
    }
    await recording;
    expect(came.toSorted()).toEqual(names.toSorted());
    const rows = await stack.models.sellerEvents.find({ profile: seller.id }).sort({ place: 1 }).lean();
    expect(rows.map(({ place }) => place)).toEqual(names.map((_, index) => index + 1));
    expect(rows.map(({ body }) => JSON.parse(body!).name)).toEqual(came);
    // All but the last one end with the time.
    const lasting = () =>
      stack.models.sellerEvents.distinct('place', { profile: seller.id, remove_at: null });
    await expect.poll(lasting, eventually).toEqual([30]);
    // From anywhere, all that followed.
    const middle = await streams(key, rows[9]!._id, other.url);
    await untilCame(middle, 20);
    expect(namesOf(middle)).toEqual(came.slice(10));
  },
  limitMs(60_000),
);

test('who never had a key or webhook has no events; the first one begins them, and they go on between two keys', async ({
  stack,
  seller,
  streams,
}) => {
  await insertImage(stack, seller);
  const events = () => stack.models.sellerEvents.countDocuments({ profile: seller.id });
  expect(await events()).toBe(0);

  const first = await streams(await giveKey(stack, seller));
  const made = await insertImage(stack, seller);
  await untilCame(first, 1);
  // It would go on until the key is checked again.
  first.close();
  await first.ended;
  await stack.models.apiKeys.deleteMany({ user_id: seller.id });
  const between = await insertImage(stack, seller);
  await expect.poll(events, eventually).toBe(2);
  const second = await streams(await giveKey(stack, seller), first.lastId());
  await untilCame(second, 1);
  const aboutOf = ({ events: all }: EventStream) => all.map(({ data }) => JSON.parse(data).data.id);
  expect([aboutOf(first), aboutOf(second)]).toEqual([[made._id], [between._id]]);

  const another = await stack.seller();
  await makeWebhook(another, receiver.url('/begins'));
  const told = await insertImage(stack, another);
  await expect.poll(() => receiver.at('/begins').length, eventually).toBe(1);
  expect(await stack.models.sellerEvents.find({ profile: another.id }).lean()).toMatchObject([
    { object: told._id, place: 1 },
  ]);
});

test('a time for the removal of an event that a crash lost is written with a later event', async ({
  stack,
  seller,
}) => {
  for (const name of ['a', 'b', 'c']) await record(stack, seller, name);
  const lasting = () => stack.models.sellerEvents.distinct('place', { profile: seller.id, remove_at: null });
  await expect.poll(lasting, eventually).toEqual([3]);
  await stack.models.sellerEvents.updateOne({ profile: seller.id, place: 1 }, { $set: { remove_at: null } });
  await record(stack, seller, 'd');
  await expect.poll(lasting, eventually).toEqual([4]);
});

test('a connection that breaks before its first event loses none', async ({ stack, seller, streams }) => {
  const key = await giveKey(stack, seller);
  for (const name of ['first', 'second']) {
    const stream = await streams(key);
    stream.close();
    await stream.ended;
    await record(stack, seller, name);
    const next = await streams(key, stream.lastId());
    await untilCame(next, 1);
    expect(namesOf(next)).toEqual([name]);
  }
  // Without an id, from now on.
  const late = await streams(key);
  await record(stack, seller, 'third');
  stack.server.context.relay.publish(seller.id, { told: true });
  await untilCame(late, 1);
  expect(namesOf(late)).toEqual(['third']);
});

test('an id that is too old, unknown or of another account is answered in words', async ({
  stack,
  seller,
  streams,
}) => {
  const key = await giveKey(stack, seller);
  const [first, second] = [await record(stack, seller, 'a'), await record(stack, seller, 'b')];
  await record(stack, seller, 'c');
  const theirs = await record(stack, await stack.seller(), 'theirs');
  for (const id of [eventIdOf('never'), theirs._id]) expectRefused(await streams(key, id), 'EVENT_TOO_OLD');
  for (const id of ['0', 'msg_', `${first._id} `.repeat(2), '{"$gt":""}', `msg_${'Z'.repeat(32)}`]) {
    expectRefused(await streams(key, id), 'VALIDATION', 'This is no id of an event.');
  }
  // An empty one is none, as browsers have it.
  expect((await streams(key, '')).status).toBe(200);

  const keptDays = async () => {
    const { created_at, remove_at } = (await stack.models.sellerEvents.findById(first._id).lean())!;
    return remove_at === null ? 0 : (remove_at.getTime() - created_at.getTime()) / 86_400_000;
  };
  await expect.poll(keptDays, eventually).toBeGreaterThanOrEqual(limits.apiEventDays);
  // MongoDB removes what is too old; the first event that is left does not follow the one that was read last.
  await stack.models.sellerEvents.deleteMany({ _id: { $in: [first._id, second._id] } });
  expectRefused(await streams(key, noEventId), 'EVENT_TOO_OLD', `older than ${limits.apiEventDays} days`);
});

test('an event about an image that was deleted for ever is passed over, and its place stays', async ({
  stack,
  seller,
  streams,
}) => {
  const key = await giveKey(stack, seller);
  const [before, deleted] = [await record(stack, seller, 'before'), await record(stack, seller, 'deleted')];
  await forgetEventsAbout(stack.db, seller.id, deleted.object);
  await record(stack, seller, 'after');
  for (const { _id } of [before, deleted]) {
    const stream = await streams(key, _id);
    await untilCame(stream, 1);
    expect(namesOf(stream)).toEqual(['after']);
  }
  const text = JSON.stringify(await stack.models.sellerEvents.find({ profile: seller.id }).lean());
  expect(text).not.toContain('{\\"name\\":\\"deleted');
});

test('a low balance comes to keys that may read the balance', async ({ stack, seller, streams }) => {
  const id = eventIdOf(`${seller.id} low`);
  const tell = (type: 'balance.low' | 'generation.failed', _id: string) =>
    recordEvent(stack.db, { _id, profile: seller.id, type, object: seller.id, body: '{}' });
  await tell('balance.low', id);
  await tell('generation.failed', eventIdOf(`${seller.id} failed`));
  const typesFor = async (scopes: typeof allScopes) => {
    const stream = await streams(await giveKey(stack, seller, { scopes }), noEventId);
    await expect.poll(() => stream.events.at(-1)?.event, eventually).toBe('generation.failed');
    return stream.events.map(({ event }) => event);
  };
  expect(await typesFor(['generations:read', 'usage:read'])).toEqual(['balance.low', 'generation.failed']);
  expect(await typesFor(['generations:read'])).toEqual(['generation.failed']);
});

/** What ends a key. */
const ends: [what: string, end: (stack: TestStack, seller: Seller) => Promise<unknown>][] = [
  [
    'is revoked',
    async (_, seller) => {
      const [{ id } = { id: '' }] = (await call<ApiKeyList>(seller, 'GET', apiKeyPaths.apiKeys)).body.apiKeys;
      expect((await call(seller, 'DELETE', apiKeyPaths.apiKey(id))).status).toBe(204);
    },
  ],
  [
    'expires',
    ({ models }, { id }) => models.apiKeys.updateMany({ user_id: id }, { $set: { expires_at: new Date() } }),
  ],
  [
    'is of an account that is banned',
    ({ models }, { id }) => models.profiles.updateOne({ _id: id }, { $set: { disabled_at: new Date() } }),
  ],
];
test.for(ends)(
  'a key that %s ends its streams on all servers, and no others',
  async ([, end], { stack, seller, other, streams }) => {
    const key = await giveKey(stack, seller);
    const stranger = await streams(await giveKey(stack, await stack.seller()));
    const open = [await streams(key), await streams(key, undefined, other.url)];
    await end(stack, seller);
    expect(await Promise.all(open.map(({ ended }) => ended))).toEqual([true, true]);
    // By the check of keys, long before anything else would have been written.
    expect(open.map((stream) => stream.heartbeats())).toEqual([0, 0]);
    const again = await streams(key, open[0]!.lastId());
    expectRefused(again, 'API_KEY_INVALID');
    expect(await Promise.race([stranger.ended, 'open'])).toBe('open');
  },
);

test(
  'a reader that takes nothing costs no memory, is cut off with its key, and finds everything afterwards',
  async ({ stack, seller, streams, onTestFinished }) => {
    const [count, filler] = [3_000, 'x'.repeat(8_000)];
    const now = new Date();
    await stack.models.sellerEvents.insertMany(
      Array.from({ length: count }, (_, index) => ({
        _id: eventIdOf(`${seller.id} ${index}`),
        profile: seller.id,
        place: index + 1,
        type: 'generation.succeeded' as const,
        object: newId(),
        body: JSON.stringify({ name: String(index), filler }),
        created_at: now,
        remove_at: null,
      })),
    );
    const key = await giveKey(stack, seller, { name: 'Slow' });
    const headers = { authorization: `Bearer ${key}`, 'last-event-id': noEventId };
    const connection = await untilUnread(stack, v1EventsPath, headers, onTestFinished);
    expect(connection.bytesWritten).toBeLessThan((count * filler.length) / 2);
    expect(connection.writableLength).toBeLessThan(200_000);

    const closed = once(connection, 'close');
    await stack.models.apiKeys.deleteOne({ user_id: seller.id, name: 'Slow' });
    await closed;
    const all = await streams(await giveKey(stack, seller), noEventId);
    await untilCame(all, count);
    expect(namesOf(all)).toEqual(Array.from({ length: count }, (_, index) => String(index)));
  },
  limitMs(60_000),
);

test('a seller has so many streams at a server, and one that is closed makes room', async ({
  stack,
  seller,
  other,
  streams,
}) => {
  const key = await giveKey(stack, seller);
  const open = await Promise.all(
    Array.from({ length: serverLimits.eventStreamsOfSeller }, () => streams(key)),
  );
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
  const more = await streams(key);
  expectRefused(more, 'TOO_MANY_STREAMS', String(serverLimits.eventStreamsOfSeller));
  expect(more.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await streams(key, undefined, other.url)).status).toBe(200);
  expect((await streams(await giveKey(stack, await stack.seller()))).status).toBe(200);
  open[0]!.close();
  await expect.poll(async () => (await streams(key)).status, eventually).toBe(200);
});

test('a server that closes ends its streams after a whole event, and they go on at another one', async ({
  stack,
  seller,
  streams,
}) => {
  const closing = await stack.startServer();
  const key = await giveKey(stack, seller);
  const stream = await streams(key, undefined, closing.url);
  await insertImage(stack, seller);
  await untilCame(stream, 1);
  await closing.close();
  expect(await stream.ended).toBe(true);
  const made = await insertImage(stack, seller);
  const next = await streams(key, stream.lastId());
  await untilCame(next, 1);
  expect(JSON.parse(next.events[0]!.data).data.id).toBe(made._id);
});
