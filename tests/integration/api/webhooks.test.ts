/** Webhooks of a seller: made, shown without their secrets, changed and deleted, by programs and in the settings. */
import { strFromU8 } from 'fflate';
import { expect } from 'vitest';
import {
  type ErrorReply,
  limits,
  paths,
  v1WebhookPaths,
  type Webhook,
  type WebhookDeliveryList,
  type WebhookList,
  type WebhookWithSecret,
  webhookEventNames,
  webhookPaths,
} from '#contract';
import { sealWebhookSecrets } from '#server/webhooks/seal-secrets.ts';
import { finishDeletion } from '#shared/accounts/deletion.ts';
import { issueToken } from '#shared/data/accounts/account-tokens.ts';
import { beginDeletion } from '#shared/data/accounts/deletion.ts';
import { connectionOf } from '#shared/data/collection.ts';
import { createSeal } from '#shared/platform/seal.ts';
import { download, test } from '#tests/integration/accounts/export-steps.ts';
import { call, post } from '#tests/support/account.ts';
import { callWithKey, giveKey } from '#tests/support/api-keys.ts';
import { workerContext } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { hostileAddresses } from '#tests/support/hostile-addresses.ts';
import { expectRefused } from '#tests/support/program-batches.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';

const url = 'https://shop.example/packshot';
const events = ['generation.succeeded', 'batch.finished'];
const make = (seller: Seller, details: object = {}) =>
  call<WebhookWithSecret & ErrorReply>(seller, 'POST', webhookPaths.webhooks, { url, events, ...details });

/** Everything that is stored, as text. */
async function storedIn(stack: TestStack): Promise<string> {
  const { db } = connectionOf(stack.db);
  let stored = '';
  for (const { name } of await db!.listCollections({}, { nameOnly: true }).toArray())
    stored += JSON.stringify(await db!.collection(name).find().toArray());
  return stored;
}

test('a program makes, lists, changes, rotates and deletes one; its secret is shown once and stored sealed', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const key = await giveKey(stack, seller);
  const program = <Body>(method: string, path: string, body?: object) =>
    callWithKey<Body>(stack.url, key, method, path, body);
  const asked = { url, events: [...events, ...events] };
  const made = await program<WebhookWithSecret>('POST', v1WebhookPaths.webhooks, asked);
  expect(made.status).toBe(201);
  expect(made.headers.get('cache-control')).toBe('no-store');
  const { secret, webhook } = made.body;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(webhook).toEqual({
    id: expect.any(String),
    mode: 'live',
    url,
    events,
    enabled: true,
    off: null,
    failingSince: null,
    previousSecretUntil: null,
    createdAt: expect.any(String),
  });
  const one = v1WebhookPaths.webhook(webhook.id);
  expect((await program('GET', one)).body).toEqual(webhook);
  expect((await program('GET', v1WebhookPaths.webhooks)).body).toEqual({ webhooks: [webhook] });
  // The settings show the same.
  expect((await call<WebhookList>(seller, 'GET', webhookPaths.webhooks)).body.webhooks).toEqual([webhook]);
  // The owner is told by mail, and of another address once more.
  await stack.models.userSettings.updateOne({ _id: seller.id }, { security_notifications: false });
  const subject = 'A webhook was set up';
  const mail = await stack.mails.waitForMail({ to: seller.email, subject });
  for (const text of ['shop.example', 'An image is ready; A batch is done', '127.0.0.1'])
    expect(mail.text).toContain(text);
  for (const text of [secret, '/packshot']) expect(mail.text).not.toContain(text);
  const moved = 'https://other.example/packshot';
  expect((await program<Webhook>('PATCH', one, { url: moved })).body.url).toBe(moved);
  const next = await stack.mails.waitForMail({ to: seller.email, subject, after: mail.id });
  expect(next.text).toContain('other.example');
  expect((await program<Webhook>('PATCH', one, { url })).body.url).toBe(url);
  const off = await program<Webhook>('PATCH', one, { enabled: false, events: ['balance.low'] });
  expect(off.body).toMatchObject({ enabled: false, off: { reason: 'seller' }, events: ['balance.low'], url });
  expect((await program<Webhook>('PATCH', one, { enabled: true })).body).toMatchObject({ enabled: true });
  const rotated = await program<WebhookWithSecret>('POST', v1WebhookPaths.rotate(webhook.id));
  expect(rotated.body.webhook.previousSecretUntil).not.toBeNull();

  const stored = await storedIn(stack);
  for (const each of [secret, rotated.body.secret]) {
    for (const text of [each, each.slice(6), each.slice(6, -8)]) expect(stored).not.toContain(text);
  }
  expect((await program('DELETE', one)).status).toBe(204);
  expect((await program('GET', one)).status).toBe(404);
  expect((await program('DELETE', one)).status).toBe(404);
});

test('a key that would promise that a repeated request makes nothing is refused', async ({ stack }) => {
  const seller = await stack.seller();
  const key = await giveKey(stack, seller);
  const { id } = (await make(seller)).body.webhook;
  const asked = { url, events };
  for (const [path, body] of [
    [v1WebhookPaths.webhooks, asked],
    [v1WebhookPaths.rotate(id), {}],
    [v1WebhookPaths.test(id), {}],
    [v1WebhookPaths.resend(id, 'x'), {}],
  ] as const) {
    const refused = await callWithKey<ErrorReply>(stack.url, key, 'POST', path, body, {
      'idempotency-key': 'mine',
    });
    expectRefused(refused, 'VALIDATION', { field: 'Idempotency-Key' });
  }
  expect(await stack.models.webhookEndpoints.countDocuments({ profile: seller.id })).toBe(1);
  expect(await stack.models.webhookDeliveries.countDocuments({ profile: seller.id })).toBe(0);
});

test('what is no webhook, and more of them than there may be', async ({ stack }) => {
  const seller = await stack.seller();
  const faults: [details: object, field: string][] = [
    [{ url: '' }, 'url'],
    [{ url: `https://shop.example/${'a'.repeat(limits.webhookUrlCharacters)}` }, 'url'],
    [{ url: { $gt: '' } }, 'url'],
    [{ events: [] }, 'events'],
    [{ events: ['export.ready'] }, 'events.0'],
    [{ events: ['webhook.test'] }, 'events.0'],
  ];
  for (const [details, field] of faults) {
    const { status, body } = await make(seller, details);
    expect([details, status, field.startsWith(body.error.field!.split('.')[0]!)]).toEqual([
      details,
      400,
      true,
    ]);
  }
  const answers = await Promise.all(Array.from({ length: limits.webhooks + 5 }, () => make(seller)));
  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([...Array(limits.webhooks).fill(201), ...Array(5).fill(409)]);
  expectError(await make(seller), 'WEBHOOK_LIMIT');
});

test('no address that we may not call, neither for a new webhook nor for one that is there', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const { body } = await make(seller);
  const addresses = [
    ...hostileAddresses.map(([address]) => address),
    'http://127.0.0.1:8080/',
    'http://localhost/',
  ];
  for (const address of addresses) {
    const made = await make(seller, { url: address });
    const changed = await call(seller, 'PATCH', webhookPaths.webhook(body.webhook.id), { url: address });
    // An empty one is no address at all.
    const status = address.trim() === '' ? 400 : 422;
    expect([address, made.status, changed.status]).toEqual([address, status, status]);
  }
  const list = await call<WebhookList>(seller, 'GET', webhookPaths.webhooks);
  expect(list.body.webhooks).toEqual([body.webhook]);
});

test("another seller's webhook is not there, whoever asks and for what", async ({ stack }) => {
  const seller = await stack.seller();
  const other = await stack.seller();
  const { id } = (await make(seller)).body.webhook;
  const sent = await call<{ id: string }>(seller, 'POST', webhookPaths.test(id));
  const key = await giveKey(stack, other);
  for (const at of [webhookPaths, v1WebhookPaths]) {
    const calls: [method: string, path: string, body?: object][] = [
      ['GET', at.webhook(id)],
      ['PATCH', at.webhook(id), { enabled: false }],
      ['DELETE', at.webhook(id)],
      ['POST', at.rotate(id)],
      ['POST', at.test(id)],
      ['GET', at.deliveries(id)],
      ['POST', at.resend(id, sent.body.id)],
    ];
    for (const [method, path, given] of calls) {
      const answer =
        at === webhookPaths
          ? await call<ErrorReply>(other, method, path, given)
          : await callWithKey<ErrorReply>(stack.url, key, method, path, given);
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 404, 'NOT_FOUND']);
    }
  }
  // A delivery of another webhook of the same seller is not there either.
  const second = (await make(seller)).body.webhook;
  expect((await call(seller, 'POST', webhookPaths.resend(second.id, sent.body.id))).status).toBe(404);
  expect((await call<WebhookList>(seller, 'GET', webhookPaths.webhooks)).body.webhooks).toHaveLength(2);
});

test('the log has pages', async ({ stack }) => {
  const seller = await stack.seller();
  const { id } = (await make(seller)).body.webhook;
  const ids = new Set<string>();
  for (let count = 0; count < 5; count += 1)
    ids.add((await call<{ id: string }>(seller, 'POST', webhookPaths.test(id))).body.id);
  const seen: string[] = [];
  const times: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query = `?limit=2${cursor && `&cursor=${cursor}`}`;
    const page: { body: WebhookDeliveryList } = await call(
      seller,
      'GET',
      webhookPaths.deliveries(id) + query,
    );
    seen.push(...page.body.deliveries.map((each) => each.id));
    times.push(...page.body.deliveries.map((each) => each.createdAt));
    cursor = page.body.nextCursor;
  }
  expect([seen.length, new Set(seen)]).toEqual([5, ids]);
  expect(times).toEqual(times.toSorted().reverse());
});

test('the export has webhooks and what they were sent, without secrets; deletion and a lost password remove them', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const { body } = await make(seller, { events: [...webhookEventNames] });
  await insertImage(stack, seller);
  const { files } = await download(stack, seller);
  const read = (name: string) => JSON.parse(strFromU8(files[name]!)) as unknown;
  // Nothing is at its address, and a worker may have found that out.
  const failingSince = expect.toSatisfy((since) => since === null || Date.parse(since) > 0) as unknown;
  expect(read('webhooks.json')).toEqual([{ ...body.webhook, failingSince }]);
  expect(read('webhook-deliveries.json')).toMatchObject([
    { webhookId: body.webhook.id, type: 'generation.succeeded' },
  ]);
  const row = await stack.models.webhookEndpoints.findById(body.webhook.id).lean();
  const all = Object.values(files)
    .map((file) => Buffer.from(file).toString('latin1'))
    .join();
  for (const text of [body.secret, row!.secret]) expect(all).not.toContain(text);
  await beginDeletion(stack.db, seller.id);
  await finishDeletion(workerContext(stack), seller.id, new Date(Date.now() + 1_000));
  expect(await stack.models.webhookEndpoints.countDocuments({ profile: seller.id })).toBe(0);
  expect(await stack.models.webhookDeliveries.countDocuments({ profile: seller.id })).toBe(0);

  // Whoever took an account over may have made one: it goes with the lost password, and an old one stays.
  const owner = await stack.seller();
  const { body: old } = await make(owner);
  const longAgo = new Date(Date.now() - 30 * 86_400_000);
  await stack.models.webhookEndpoints.updateOne(
    { _id: old.webhook.id },
    { $set: { created_at: longAgo, unchanged_since: longAgo } },
  );
  await make(owner);
  const about = { kind: 'reset-password', sellerId: owner.id, email: owner.email, lifeMs: 60_000 } as const;
  const token = await issueToken(stack.db, about);
  const reset = await post(stack.url, paths.confirmPasswordReset, { token, password: 'Newest-Horse-9' });
  expect(reset.status).toBe(204);
  const left = await stack.models.webhookEndpoints.find({ profile: owner.id }).lean();
  expect(left.map(({ _id }) => _id)).toEqual([old.webhook.id]);
});

test('another key seals the secrets again, and only for their webhook', async ({ stack }) => {
  const seller = await stack.seller();
  const { body } = await make(seller);
  const newKey = 'n'.repeat(40);
  const { log } = stack.server.context;
  const sealWith = (keys: string[]) =>
    sealWebhookSecrets({
      db: stack.db,
      config: { ...stack.config, webhooks: { keys, toLoopback: false } },
      log,
    });
  await sealWith([newKey, ...stack.config.webhooks.keys]);
  const row = await stack.models.webhookEndpoints.findById(body.webhook.id).lean();
  expect(createSeal([newKey]).open(row!.secret, body.webhook.id)).toBe(body.secret);
  expect(() => createSeal([newKey]).open(row!.secret, 'another')).toThrow();
  await sealWith([...stack.config.webhooks.keys, newKey]);
});
