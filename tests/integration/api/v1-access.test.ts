/** Who is let in by an API key, and for how long. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect } from 'vitest';
import {
  type ApiKeyList,
  apiKeyPaths,
  type ErrorReply,
  paths,
  type V1Generation,
  v1BatchActions,
  v1BatchPaths,
  v1ExportPaths,
  v1LibraryPaths,
  v1Paths,
} from '#contract';
import { requestLimits } from '#contract/request-limits.ts';
import { isFrom } from '#server/auth/api-key.ts';
import { isKey, newKey } from '#server/auth/key-format.ts';
import { encodeCursor } from '#server/http/cursor.ts';
import { beginDeletion } from '#shared/data/accounts/deletion.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { call } from '#tests/support/account.ts';
import { allScopes, callWithKey, giveKey, programOf } from '#tests/support/api-keys.ts';
import { scopeOfRoute } from '#tests/support/api-scopes.ts';
import { postBatch, sampleRows, sha256Of } from '#tests/support/batches.ts';
import { expectError } from '#tests/support/errors.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import type { Seller } from '#tests/support/seller.ts';
import { handshake } from '#tests/support/session-requests.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';

/** `strict` is a server whose limits of networks are low. */
const test = testWithSeller({ workers: 0 })
  .extend('other', { scope: 'file' }, ({ stack }) => stack.startServer())
  .extend('strict', async ({ stack }, { onCleanup }) => {
    const strict = await stack.startServer({ NETWORK_LIMIT_FACTOR: '0.05', TRUSTED_PROXIES: '1' });
    onCleanup(() => strict.close());
    return strict;
  });

async function photoForm(): Promise<FormData> {
  const form = new FormData();
  form.append('photos', new File([new Uint8Array(await samplePhoto())], 'cup.png', { type: 'image/png' }));
  return form;
}

const balanceOf = (url: string, key: string) => callWithKey<ErrorReply>(url, key, 'GET', v1Paths.balance);

test('a key has a prefix and a checksum, so that a mistyped one is known without the database', () => {
  const key = newKey();
  expect(key).toMatch(/^pk_live_[0-9a-f]{56}$/);
  expect(isKey(key)).toBe(true);
  const secret = randomBytes(24).toString('hex');
  expect(isKey(`pk_live_${secret}${crc32(`pk_live_${secret}`).toString(16).padStart(8, '0')}`)).toBe(true);
  const last = key.at(-1) === '0' ? '1' : '0';
  for (const text of [
    '',
    'pk_live_',
    key.slice(0, -1),
    key.slice(0, -1) + last,
    `${key} `,
    key.toUpperCase(),
  ])
    expect(isKey(text), text).toBe(false);
  expect(new Set(Array.from({ length: 1_000 }, newKey)).size).toBe(1_000);
});

test('what is no key of an account is refused, and where it goes is said', async ({ stack, seller }) => {
  const key = await giveKey(stack, seller);
  expect((await balanceOf(stack.url, key)).status).toBe(200);
  const changed = key.slice(0, -1) + (key.at(-1) === '0' ? '1' : '0');
  for (const wrong of [changed, newKey(), 'pk_test_0', seller.token, 'x'.repeat(2_000), "' || '1'=='1"]) {
    const answer = await balanceOf(stack.url, wrong);
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'API_KEY_INVALID' } } });
  }
  const send = async (headers: Record<string, string>, query = '') => {
    const reply = await fetch(stack.url + v1Paths.balance + query, { headers });
    return { status: reply.status, headers: reply.headers, body: (await reply.json()) as ErrorReply };
  };
  const cookie = { cookie: `packshot=${seller.token}` };
  for (const [headers, query] of [
    [{}],
    [cookie],
    [{ authorization: key }],
    [{ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }],
    [{ authorization: 'Bearer ' }],
    [{ 'x-api-key': key }],
    [cookie, `?key=${key}`],
  ] as [Record<string, string>, string?][]) {
    const { status, body } = await send(headers, query);
    expect(status).toBe(401);
    expect(body.error).toMatchObject({ code: 'API_KEY_INVALID', docs: expect.stringContaining('#errors') });
    expect(body.error.message).toContain('Authorization: Bearer pk_live_');
  }
  // The other way round: a key is no session, and the answer says where it works.
  const asSession = await callWithKey<ErrorReply>(stack.url, key, 'GET', paths.me);
  expectError(asSession, 'UNAUTHENTICATED', {
    message: 'API keys work on addresses that begin with /api/v1 only.',
  });
  // Also beside the cookie of a session: a program does not get more than its key may.
  const both = await callWithKey(stack.url, key, 'GET', paths.me, undefined, cookie);
  expect(both.status).toBe(401);
});

test('a key opens no socket', async ({ stack, seller }) => {
  const key = await giveKey(stack, seller);
  const tries = [{ auth: { token: key } }, { extraHeaders: { authorization: `Bearer ${key}` } }];
  for (const options of tries) expect(await handshake(stack, options)).toBeInstanceOf(Error);
  expect(await handshake(stack, { auth: { token: seller.token } })).toBeUndefined();
});

test('a revoked key ends at once on all servers, and with it what waits for an image', async ({
  stack,
  seller,
  other,
}) => {
  const key = await giveKey(stack, seller);
  await stack.images.set({ default: { kind: 'hold' } });
  const { id } = await seller.submit();
  for (const { url } of [stack, other]) expect((await balanceOf(url, key)).status).toBe(200);
  const waiting = callWithKey(other.url, key, 'GET', `${v1Paths.generation(id)}?wait=30`);
  await expect.poll(async () => (await seller.generation(id)).state).toBe('queued');

  const { body } = await call<ApiKeyList>(seller, 'GET', apiKeyPaths.apiKeys);
  const [{ id: keyId }] = body.apiKeys as [ApiKeyList['apiKeys'][number]];
  expect((await call(seller, 'DELETE', apiKeyPaths.apiKey(keyId))).status).toBe(204);
  // The very next request, without waiting for anything.
  for (const { url } of [stack, other]) {
    expect(await balanceOf(url, key)).toMatchObject({
      status: 401,
      body: { error: { code: 'API_KEY_INVALID' } },
    });
  }
  // What ends the wait: with the key, its answer has ended as well.
  expect((await seller.cancel(id)).status).toBe(200);
  expect(await waiting).toMatchObject({ status: 401, body: { error: { code: 'API_KEY_INVALID' } } });
  // It is gone, and so there is nothing to revoke.
  expectError(await call(seller, 'DELETE', apiKeyPaths.apiKey(keyId)), 'NOT_FOUND');
});

test('an expired key is refused, and one that is not yet is not', async ({ stack, seller }) => {
  const ends = (ms: number) => giveKey(stack, seller, { expires_at: new Date(Date.now() + ms) });
  expect((await balanceOf(stack.url, await ends(-1))).status).toBe(401);
  expect((await balanceOf(stack.url, await ends(3_600_000))).status).toBe(200);
});

/** What happens to an account so that it cannot be used any more. */
const ends: [what: string, end: (stack: TestStack, seller: Seller) => Promise<unknown>][] = [
  [
    'was banned',
    ({ models }, { id }) => models.profiles.updateOne({ _id: id }, { $set: { disabled_at: new Date() } }),
  ],
  ['is being deleted', ({ db }, { id }) => beginDeletion(db, id)],
  [
    'has an address that was never confirmed',
    ({ models }, { id }) => models.profiles.updateOne({ _id: id }, { $set: { email_verified: false } }),
  ],
  ['is gone', ({ models }, { id }) => models.profiles.deleteOne({ _id: id })],
];
test.for(ends)(
  'keys of an account that %s are refused everywhere',
  async ([, end], { stack, seller, other }) => {
    const key = await giveKey(stack, seller);
    expect((await balanceOf(stack.url, key)).status).toBe(200);
    await end(stack, seller);
    for (const { url } of [stack, other]) {
      expect(await balanceOf(url, key)).toMatchObject({
        status: 401,
        body: { error: { code: 'API_KEY_INVALID' } },
      });
    }
  },
);

test('objects of other sellers do not exist', async ({ stack, seller }) => {
  const stranger = await giveKey(stack, await stack.seller());
  const key = await giveKey(stack, seller);
  const { _id: id } = await insertImage(stack, seller);
  const batch = (await postBatch(seller, { rows: await sampleRows(1) })).body.id;
  const photo = sha256Of(await samplePhoto());
  const routes: [method: string, path: string, body?: object][] = [
    ['GET', v1Paths.generation(id)],
    ['GET', `${v1Paths.generation(id)}?wait=30`],
    ['GET', v1Paths.image(id)],
    ['POST', v1Paths.cancel(id)],
    ['POST', v1Paths.change(id), { instruction: 'Blue' }],
    ['POST', v1Paths.change(id), { instruction: 'Blue', dryRun: true }],
    ['POST', v1Paths.remake(id)],
    ['POST', v1Paths.remake(id), { dryRun: true }],
    ['PATCH', v1Paths.generation(id), { favourite: true }],
    ['PUT', v1Paths.edits(id), { recipe: { rotate: 90 } }],
    ['DELETE', v1Paths.generation(id)],
    ['POST', v1LibraryPaths.restore(id)],
    ['GET', v1Paths.set(id)],
    ['GET', v1ExportPaths.file(id, 'ebay')],
    ['GET', v1ExportPaths.check(id, 'ebay')],
    ['GET', `${v1ExportPaths.zip}?generations=${id}&presets=ebay`],
    ['GET', v1BatchPaths.batch(batch)],
    ['DELETE', v1BatchPaths.batch(batch)],
    ['GET', v1BatchPaths.rows(batch)],
    ['GET', v1BatchPaths.photos(batch)],
    ['PUT', v1BatchPaths.photo(batch, photo), await photoForm()],
    ['GET', v1BatchPaths.report(batch)],
    ...v1BatchActions.map((name): [string, string] => ['POST', v1BatchPaths.action(batch, name)]),
    ['POST', v1BatchPaths.action(batch, 'start'), { dryRun: true }],
    ['POST', v1BatchPaths.rows(batch), { rows: [{ prompt: 'On oak', photos: [{ sha256: photo }] }] }],
    ['POST', v1BatchPaths.retry(batch), { round: 0 }],
    ['POST', v1BatchPaths.retry(batch), { round: 0, dryRun: true }],
    ['POST', v1BatchPaths.again(batch), { round: 0, generations: [id] }],
    ['POST', v1BatchPaths.again(batch), { round: 0, generations: [id], dryRun: true }],
    ['POST', v1BatchPaths.review(batch), { generations: [id], approved: true }],
    ['GET', v1BatchPaths.export(batch)],
    ['GET', `${v1BatchPaths.products(batch)}?system=shopify`],
  ];
  for (const [method, path, body] of routes) {
    expect(await callWithKey(stack.url, stranger, method, path, body)).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND' } },
    });
  }
  const list = (of: string) =>
    callWithKey<{ generations: V1Generation[] }>(stack.url, of, 'GET', v1Paths.generations);
  expect((await list(stranger)).body.generations).toEqual([]);
  expect((await list(key)).body.generations.map((each) => each.id)).toEqual([id]);
  // Nor can the list be continued in another seller's.
  const theirs = await stack.seller();
  const { _id: own } = await insertImage(stack, theirs);
  const cursor = encodeCursor({ created_at: new Date('2100-01-01'), _id: id });
  const more = await callWithKey<{ generations: V1Generation[] }>(
    stack.url,
    await giveKey(stack, theirs),
    'GET',
    `${v1Paths.generations}?cursor=${cursor}`,
  );
  expect(more.status).toBe(200);
  expect(more.body.generations.map((each) => each.id)).toEqual([own]);
});

test('a key works from its networks only, behind a proxy by the address that the proxy gives', async ({
  stack,
  seller,
}) => {
  const behindProxy = await stack.startServer({ TRUSTED_PROXIES: '1' });
  const from = async (networks: string[], address: string, url = behindProxy.url) => {
    const key = await giveKey(stack, seller, { networks });
    return callWithKey<ErrorReply>(url, key, 'GET', v1Paths.balance, undefined, {
      'x-forwarded-for': address,
    });
  };
  expect((await from(['203.0.113.0/24'], '203.0.113.9')).status).toBe(200);
  expect((await from(['2001:db8::/32', '198.51.100.7'], '198.51.100.7')).status).toBe(200);
  const refused = await from(['203.0.113.0/24'], '203.0.114.9');
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'API_KEY_NETWORK' } } });
  // A client's own claim does not count.
  expect((await from(['203.0.113.0/24'], '203.0.113.9, 198.51.100.7')).status).toBe(403);
  expect((await from(['203.0.113.0/24'], '203.0.113.9', stack.url)).status).toBe(403);
});

test.for([
  [[], '203.0.113.9', true],
  [['203.0.113.9'], '203.0.113.9', true],
  [['203.0.113.9'], '203.0.113.10', false],
  [['203.0.113.0/24'], '::ffff:203.0.113.9', true],
  [['203.0.113.0/24'], '::ffff:203.0.114.9', false],
  [['::ffff:203.0.113.0/120'], '203.0.113.9', true],
  [['2001:db8::/48'], '2001:db8:0:1::5', true],
  [['2001:db8::/48'], '2001:db8:1::5', false],
  [['fe80::/10'], 'fe80::1%eth0', true],
  [['10.0.0.0/8', '2001:db8::1'], '2001:db8::1', true],
  [['0.0.0.0/0'], '203.0.113.9', true],
  [['0.0.0.0/0'], '2001:db8::1', false],
] as const)('from %s, %s is let in: %s', ([networks, address, isLetIn]) => {
  expect(isFrom(networks, address)).toBe(isLetIn);
});

test('replies say what is left of the limit, which all keys of a seller share', async ({ stack, seller }) => {
  const keys = await Promise.all([giveKey(stack, seller), giveKey(stack, seller, { scopes: allScopes })]);
  const { requests, seconds } = requestLimits.seller.api;
  const leftOf = (headers: Headers) => /^"api";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1];
  const first = await balanceOf(stack.url, keys[0]!);
  expect(first.headers.get('ratelimit-policy')).toBe(`"api";q=${requests};w=${seconds}`);
  expect(leftOf(first.headers)).toBe(String(requests - 1));
  expect(leftOf((await balanceOf(stack.url, keys[1]!)).headers)).toBe(String(requests - 2));
  let refused: Awaited<ReturnType<typeof balanceOf>> | undefined;
  for (let sent = 2; sent <= requests && !refused; sent += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => balanceOf(stack.url, keys[0]!)));
    refused = answers.find(({ status }) => status === 429);
  }
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
  expect(leftOf(refused!.headers)).toBe('0');
  expect(Number(refused!.headers.get('retry-after'))).toBeGreaterThan(0);
  // Of nobody else.
  expect((await balanceOf(stack.url, await giveKey(stack, await stack.seller()))).status).toBe(200);
});

test('a reply names each limit that its request counts for, and the one that refused it', async ({
  stack,
  seller,
  strict,
}) => {
  const key = await giveKey(stack, seller);
  const send = programOf<ErrorReply>(strict.url, key);
  const program = (method: string, path: string, body: object) =>
    send(method, path, body, { 'x-forwarded-for': '198.51.100.21' });
  const { requests, seconds } = requestLimits.seller.api;
  const { upload } = requestLimits.network;
  const most = upload.requests * 0.05;
  const ask = () =>
    program('POST', v1Paths.generations, {
      photos: [{ url: 'https://a.example/mug.jpg' }],
      prompt: 'On oak',
      dryRun: true,
    });
  for (let left = most - 1; left >= 0; left -= 1) {
    const { status, headers } = await ask();
    expect([status, headers.get('ratelimit-policy')]).toEqual([
      200,
      `"api";q=${requests};w=${seconds}, "network-upload";q=${most};w=${upload.seconds}`,
    ]);
    expect(headers.get('ratelimit')).toMatch(
      new RegExp(`^"api";r=\\d+;t=\\d+, "network-upload";r=${left};t=\\d+$`),
    );
  }
  const refused = await ask();
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
  const wait = refused.headers.get('retry-after');
  expect(refused.headers.get('ratelimit')).toMatch(new RegExp(`, "network-upload";r=0;t=${wait}$`));

  const last = async (path: string, body: object) => {
    const { requests: times } = requestLimits.seller['batch-new'];
    const answers = await Promise.all(Array.from({ length: times + 1 }, () => program('POST', path, body)));
    return answers.find(({ status }) => status === 429);
  };
  const batch = await last(v1BatchPaths.batches, { name: 'Autumn', rows: [] });
  expect(batch?.headers.get('ratelimit')).toMatch(/, "batch-new";r=0;t=\d+$/);
});

test('the guide names each limit, with its numbers', async ({ stack, seller, onTestFinished }) => {
  const usual = await stack.startServer({ NETWORK_LIMIT_FACTOR: '1' });
  onTestFinished(() => usual.close());
  const key = await giveKey(stack, seller);
  const guide = await readFile(
    join(rootFolder, 'web/src/content/guides/first-image-with-the-api.md'),
    'utf8',
  );
  const inGuide = [...guide.matchAll(/^\| `([a-z-]+)` \| .* \| ([\d,]+) (?:a|an) (minute|hour) \|$/gm)].map(
    ([, name, most, window]) => `"${name}";q=${most!.replace(',', '')};w=${window === 'hour' ? 3_600 : 60}`,
  );
  const { network, seller: ofSeller } = requestLimits;
  const policyOf = ([name, { requests, seconds }]: [string, { requests: number; seconds: number }]) =>
    `"${name}";q=${requests};w=${seconds}`;
  const all = [
    ...Object.entries(network).map(([name, limit]) => policyOf([`network-${name}`, limit])),
    ...Object.entries(ofSeller).map(policyOf),
  ];
  expect(all).toEqual(expect.arrayContaining(inGuide));

  const named = new Set<string>();
  for (const route of Object.keys(scopeOfRoute)) {
    const [method, path] = route.split(' ') as [string, string];
    const reply = await fetch(usual.url + path.replaceAll(/:\w+/g, 'none'), {
      method,
      headers: { authorization: `Bearer ${key}` },
    });
    // The stream of events has no end.
    await reply.body?.cancel();
    const { headers } = reply;
    for (const policy of headers.get('ratelimit-policy')!.split(', ')) named.add(policy);
  }
  expect(named.size).toBeGreaterThan(5);
  expect(inGuide).toEqual(expect.arrayContaining([...named]));
});

test('keys that are not valid are counted by the network that tries them', async ({
  stack,
  seller,
  strict,
}) => {
  const key = await giveKey(stack, seller);
  const guess = (with_: string) =>
    callWithKey(strict.url, with_, 'GET', v1Paths.balance, undefined, { 'x-forwarded-for': '198.51.100.20' });
  const statuses: number[] = [];
  for (let tried = 0; tried < 8; tried += 1) statuses.push((await guess(newKey())).status);
  expect(statuses.slice(0, 5)).toEqual(Array(5).fill(401));
  expect(statuses.slice(-1)).toEqual([429]);
  // A program with a key that is valid goes on.
  expect((await guess(key)).status).toBe(200);
});
