/** API keys of a seller: made, shown once, listed and revoked. */
import { strFromU8 } from 'fflate';
import { expect } from 'vitest';
import {
  type ActivityList,
  type ApiKeyList,
  apiKeyPaths,
  type CreateApiKey,
  type CreatedApiKey,
  type ErrorReply,
  limits,
  paths,
  v1Paths,
  v1Versions,
} from '#contract';
import { finishDeletion } from '#shared/accounts/deletion.ts';
import { issueToken } from '#shared/data/accounts/account-tokens.ts';
import { beginDeletion } from '#shared/data/accounts/deletion.ts';
import { connectionOf } from '#shared/data/collection.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { call, codeOf, post, twoFactorSeller } from '#tests/support/account.ts';
import { callWithKey, giveKey } from '#tests/support/api-keys.ts';
import { doBefore } from '#tests/support/come-between.ts';
import { workerContext } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { download, test } from './export-steps.ts';

const asked: CreateApiKey = { password: testPassword, name: 'Shop import', scopes: ['usage:read'] };
const make = (seller: Seller, details: Partial<CreateApiKey> & { code?: string } = {}) =>
  call<CreatedApiKey & ErrorReply>(seller, 'POST', apiKeyPaths.apiKeys, { ...asked, ...details });
const listOf = async (seller: Seller) =>
  (await call<ApiKeyList>(seller, 'GET', apiKeyPaths.apiKeys)).body.apiKeys;

const resetToken = (stack: TestStack, { id, email }: Seller) =>
  issueToken(stack.db, { kind: 'reset-password', sellerId: id, email, lifeMs: 60_000 });

test('a key is made with the password, told by mail and in the log, and shown once', async ({ stack }) => {
  const seller = await stack.seller();
  expectError(await make(seller, { password: 'Wrong-Horse-7' }), 'WRONG_PASSWORD');
  expect(await listOf(seller)).toEqual([]);
  const made = await make(seller, {
    scopes: ['generations:read', 'usage:read', 'usage:read'],
    days: 30,
    networks: ['127.0.0.0/8', '::1'],
  });
  expect(made.status).toBe(201);
  expect(made.headers.get('cache-control')).toBe('no-store');
  const { key, apiKey } = made.body;
  expect(apiKey).toEqual({
    id: expect.any(String),
    name: 'Shop import',
    mode: 'live',
    hint: key.slice(-4),
    scopes: ['generations:read', 'usage:read'],
    networks: ['127.0.0.0/8', '::1'],
    createdAt: expect.any(String),
    expiresAt: new Date(Date.parse(apiKey.createdAt) + 30 * 86_400_000).toISOString(),
    lastUsedAt: null,
  });
  expect(await listOf(seller)).toEqual([apiKey]);
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'API key' });
  for (const text of ['Shop import', 'See how many images are left', '/profile/api']) {
    expect(mail.text).toContain(text);
  }
  expect(mail.text).not.toContain(key);
  const { body } = await call<ActivityList>(seller, 'GET', paths.activity);
  expect(body.activities[0]).toMatchObject({ newKind: 'api-key-made' });

  // Used once: then the list says when.
  expect((await callWithKey(stack.url, key, 'GET', v1Paths.balance)).status).toBe(200);
  const [{ lastUsedAt }] = (await listOf(seller)) as [ApiKeyList['apiKeys'][number]];
  expect(Date.parse(lastUsedAt!)).toBeGreaterThanOrEqual(Date.parse(apiKey.createdAt));
  expect((await call(seller, 'DELETE', apiKeyPaths.apiKey(apiKey.id))).status).toBe(204);
  expect(await listOf(seller)).toEqual([]);
  const after = await call<ActivityList>(seller, 'GET', paths.activity);
  expect(after.body.activities[0]).toMatchObject({ newKind: 'api-key-revoked' });

  // Nothing that is stored has the key, and what is stored lets nobody in.
  const again = await make(seller);
  const { db } = connectionOf(stack.db);
  let stored = '';
  for (const { name } of await db!.listCollections({}, { nameOnly: true }).toArray())
    stored += JSON.stringify(await db!.collection(name).find().toArray());
  for (const text of [key, again.body.key, again.body.key.slice(8, -8)]) expect(stored).not.toContain(text);
  const row = await stack.models.apiKeys.findOne({ user_id: seller.id }).lean();
  expect(row).toMatchObject({ version: v1Versions.at(-1), hint: again.body.key.slice(-4) });
  expect((await callWithKey(stack.url, row!.hash, 'GET', v1Paths.balance)).status).toBe(401);
});

test('with two-factor sign-in a code is asked for', async ({ stack }) => {
  const { seller, secret } = await twoFactorSeller(stack);
  expect((await make(seller)).body.error.code).toBe('CODE_REQUIRED');
  expect((await make(seller, { code: '000000' })).body.error.code).toMatch(/^CODE_/);
  expect((await make(seller, { code: codeOf(secret, 1) })).status).toBe(201);
  expect(await listOf(seller)).toHaveLength(1);
});

test('wrong fields are refused, and nothing is made', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  const wrong: [field: string, details: object][] = [
    ['name', { name: '' }],
    ['name', { name: ' \u200b ' }],
    ['name', { name: 'a\nb' }],
    ['name', { name: 'x'.repeat(limits.apiKeyNameCharacters + 1) }],
    ['scopes', { scopes: [] }],
    ['scopes.0', { scopes: ['account:delete'] }],
    ['days', { days: 31 }],
    ['networks.0', { networks: ['office'] }],
    ['networks.0', { networks: ['203.0.113.0/33'] }],
    ['networks.0', { networks: ['203.0.113'] }],
    ['networks', { networks: Array(limits.apiKeyNetworks + 1).fill('203.0.113.1') }],
    ['user_id', { user_id: 'x' }],
  ];
  for (const [field, details] of wrong) {
    const { status, body } = await make(seller, details);
    expect([status, body.error.code, body.error.field], JSON.stringify(details)).toEqual([
      400,
      'VALIDATION',
      field,
    ]);
  }
  // A name is any text that can be read.
  expect((await make(seller, { name: 'متجر 🛒 <b>' })).body.apiKey.name).toBe('متجر 🛒 <b>');
  expect(await listOf(seller)).toHaveLength(1);
});

test('an account has so many keys, also when all of them are made at once', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  for (let made = 0; made < limits.apiKeys - 2; made += 1) await giveKey(stack, seller);
  const tries = await Promise.allSettled(Array.from({ length: 6 }, () => giveKey(stack, seller)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(await listOf(seller)).toHaveLength(limits.apiKeys);
  expectError(await make(seller), 'API_KEY_LIMIT');
  const [first] = await listOf(seller);
  await call(seller, 'DELETE', apiKeyPaths.apiKey(first!.id));
  expect((await make(seller)).status).toBe(201);
});

test("another seller's keys are neither seen nor revoked", async ({ stack }) => {
  const [seller, stranger] = await Promise.all([stack.seller(), stack.seller()]);
  const { body } = await make(seller);
  expect(await listOf(stranger)).toEqual([]);
  expectError(await call(stranger, 'DELETE', apiKeyPaths.apiKey(body.apiKey.id)), 'NOT_FOUND');
  expect(await listOf(seller)).toHaveLength(1);
});

test('a lost password takes young keys with it, and a changed one does not', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  const [old, young] = [await giveKey(stack, seller), await giveKey(stack, seller)];
  const [first] = await stack.models.apiKeys.find({ user_id: seller.id }).sort({ slot: 1 }).lean();
  const longAgo = new Date(Date.now() - (limits.youngFactorDays + 1) * 86_400_000);
  await stack.models.apiKeys.updateOne({ _id: first!._id }, { $set: { created_at: longAgo } });
  const statusOf = async (key: string) => (await callWithKey(stack.url, key, 'GET', v1Paths.balance)).status;

  const newPassword = 'Newer-Horse-8';
  const change = { password: testPassword, newPassword };
  expect((await call(seller, 'POST', paths.password, change)).status).toBe(204);
  expect([await statusOf(old), await statusOf(young)]).toEqual([200, 200]);

  const token = await resetToken(stack, seller);
  const reset = await post(stack.url, paths.confirmPasswordReset, { token, password: 'Newest-Horse-9' });
  expect(reset.status).toBe(204);
  expect([await statusOf(old), await statusOf(young)]).toEqual([200, 401]);
});

test('a key that is being made while the password is reset does not outlive the reset', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  const token = await resetToken(stack, seller);
  // The password and the session were checked, and the reset finds no key.
  doBefore(modelsOf(stack.server.context.db).apiKeys, 'insertOne', async () => {
    const reset = await post(stack.url, paths.confirmPasswordReset, { token, password: 'Newest-Horse-9' });
    expect(reset.status).toBe(204);
  });
  expectError(await make(seller), 'UNAUTHENTICATED');
  expect(await stack.models.apiKeys.countDocuments({ user_id: seller.id })).toBe(0);
});

test('the export has the keys without what lets in, and the deletion removes them', async ({ stack }) => {
  const seller = await stack.seller();
  const key = await giveKey(stack, seller);
  const { files } = await download(stack, seller);
  const row = await stack.models.apiKeys.findOne({ user_id: seller.id }).lean();
  expect(JSON.parse(strFromU8(files['api-keys.json']!))).toEqual(await listOf(seller));
  const all = Object.values(files)
    .map((file) => Buffer.from(file).toString('latin1'))
    .join();
  expect(all).not.toContain(key);
  expect(all).not.toContain(row!.hash);
  await beginDeletion(stack.db, seller.id);
  await finishDeletion(workerContext(stack), seller.id, new Date(Date.now() + 1_000));
  expect(await stack.models.apiKeys.countDocuments({ user_id: seller.id })).toBe(0);
});
