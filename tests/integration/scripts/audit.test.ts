/** `npm run audit` finds what it claims to find: each test makes one thing wrong, on a seller of its own. */
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type GenerationSet, paths } from '#contract';
import type { TestStack } from '#tests/support/stack.ts';
import { addEntry, changeProfile, problems, test } from './audit-steps.ts';

const changeGeneration = (stack: TestStack, id: string, change: object) =>
  stack.models.generations.collection.updateOne({ _id: id as never }, { $set: change });

test('a balance that was changed', async ({ stack, seller, generation }) => {
  expect(generation).toBeDefined();
  await changeProfile(stack, seller, { $inc: { generations_left: 1 } });
  expect(await stack.audit()).toEqual([
    {
      id: seller.id,
      problem:
        'granted 100 is not left 100 + free 0 + packs 0 + settled 1 + forfeited 0 + refunded 0 + removed 0',
    },
  ]);
  await changeProfile(stack, seller, { $inc: { generations_left: -101, granted: -100 } });
  expect(await problems(stack)).toEqual(
    expect.arrayContaining([
      'left -1 is less than held 0',
      'a balance is negative',
      "the ledger's grant entries add up to 100, not 0",
    ]),
  );
});

test('an image that was settled without an entry, or with two', async ({ stack, seller, generation }) => {
  const { creditEntries } = stack.models;
  await creditEntries.deleteMany({ key: generation });
  expect(await problems(stack)).toEqual([
    "the ledger's settle entries add up to 0, not 1",
    'succeeded, but the ledger has nothing',
  ]);
  const entry = { profile: seller.id, key: generation };
  await addEntry(stack, { ...entry, kind: 'settle', count: 2 });
  expect(await problems(stack)).toEqual([
    "the ledger's settle entries add up to 2, not 1",
    'its ledger entry has another count or seller',
  ]);
  await addEntry(stack, { ...entry, kind: 'refund' });
  expect(await problems(stack)).toEqual(
    expect.arrayContaining([
      "the ledger's refund and reinstate entries add up to 1, not 0",
      'succeeded, but the ledger has refund and settle',
    ]),
  );
});

test('a payment whose entry was lost or changed', async ({ stack, seller }) => {
  const grant = (await stack.models.creditEntries.findOne({ profile: seller.id, kind: 'grant' }).lean())!;
  await stack.models.creditEntries.updateOne({ _id: grant._id }, { count: 99 });
  const missing = `grant ${grant.key} of 100 is not in the ledger`;
  expect(await problems(stack)).toEqual(["the ledger's grant entries add up to 99, not 100", missing]);
  await stack.models.creditEntries.deleteOne({ _id: grant._id });
  expect(await problems(stack)).toEqual(["the ledger's grant entries add up to 0, not 100", missing]);
  await changeProfile(stack, seller, { $push: { grants: { key: grant.key, count: 100, posted: true } } });
  expect(await problems(stack)).toContain('two grants have one key');
});

test('holds and generations that do not belong together', async ({ stack, seller, generation }) => {
  const hold = { generation, count: 1, balance: 'metered', at: new Date() };
  await changeProfile(stack, seller, { $push: { holds: hold } });
  expect(await problems(stack)).toEqual(['a hold of a generation that has succeeded']);
  await changeProfile(stack, seller, { $push: { holds: hold } });
  expect(await problems(stack)).toContain('a generation has two holds');
  await changeProfile(stack, seller, { $set: { holds: [{ ...hold, generation: 'none', count: 100 }] } });
  expect(await problems(stack)).toEqual(['left 99 is less than held 100', 'a hold without a generation']);
  await changeProfile(stack, seller, { $set: { holds: [] } });
  await changeGeneration(stack, generation, { state: 'queued' });
  expect(await problems(stack)).toEqual(['queued without a hold', 'queued, but the ledger has settle']);
});

test('a generation that is in a state it cannot be in', async ({ stack, generation }) => {
  await changeGeneration(stack, generation, { settlement_due: true });
  expect(await problems(stack)).toEqual(['it is not settled yet']);
  await changeGeneration(stack, generation, { settlement_due: false, state: 'failed', failure: null });
  expect(await problems(stack)).toEqual(['failed, but the ledger has settle', 'failed without a reason']);
  await changeGeneration(stack, generation, { state: 'receiving', charged: true });
  expect(await problems(stack)).toEqual([
    'receiving and charged, but the ledger has settle',
    'charged as cancelled, but receiving',
    'its request never ended',
  ]);
});

test('free images that do not add up', async ({ stack, seller }) => {
  const { freeImageClaims } = stack.models;
  const key = `free:${seller.id}`;
  const grant = { key, count: 3, period: null, at: new Date(), posted: true };
  const free_images = { due: false, granted: 3, left: 3 };
  await changeProfile(stack, seller, {
    $set: { free_images },
    $inc: { granted: 3 },
    $push: { grants: grant },
  });
  expect(await problems(stack)).toEqual([
    "the ledger's grant entries add up to 100, not 103",
    `grant ${key} of 3 is not in the ledger`,
  ]);
  await addEntry(stack, { profile: seller.id, kind: 'grant', key, count: 3 });
  expect(await problems(stack)).toEqual([]);

  const holds = Array.from({ length: 4 }, (_, index) => ({
    generation: `g${index}`,
    count: 1,
    balance: 'free',
  }));
  await changeProfile(stack, seller, { $set: { holds } });
  expect(await problems(stack)).toContain('3 free images are left, less than 4 held');
  await changeProfile(stack, seller, { $set: { holds: [], 'free_images.due': true } });
  expect(await problems(stack)).toEqual(['free images were granted, and are still due']);
  await changeProfile(stack, seller, { $set: { free_images: { ...free_images, granted: 2 } } });
  expect(await problems(stack)).toEqual([
    '3 free images are left of 2',
    '2 free images were granted, but its grants add up to 3',
  ]);
  await changeProfile(stack, seller, { $set: { free_images }, $inc: { 'grants.1.count': 3, granted: 3 } });
  expect(await problems(stack)).toContain('3 free images were granted, but its grants add up to 6');
  await changeProfile(stack, seller, { $set: { 'grants.1': { ...grant, key: 'free:other' } } });
  expect(await problems(stack)).toContain('it has a grant of free images of another seller');
  await addEntry(stack, { profile: seller.id, kind: 'grant', key: 'free:other', count: 3 });
  expect(await problems(stack)).toContain(`free images of another seller than ${seller.id}`);

  const claim = {
    _id: 'hash',
    pending: { profile: seller.id, count: 3 },
    // Recent, so that upkeep does not settle it meanwhile.
    at: new Date(Date.now() - 1_000),
    expires_at: new Date(),
  };
  await freeImageClaims.create(claim);
  expect(await problems(stack)).toContain(`3 free images of ${seller.id} are not granted`);
  await freeImageClaims.deleteMany({});
});

test('an image that is not stored', async ({ stack, generation }) => {
  await rm(join(stack.storageFolder, 'generations', generation), { recursive: true });
  expect(await stack.audit()).toEqual([{ id: generation, problem: 'succeeded, but its image is missing' }]);
});

test('an image that is another file than the one that was stored', async ({ stack, generation }) => {
  const { image } = (await stack.models.generations.findById(generation).lean())!;
  const path = join(stack.storageFolder, image!.key);
  const stored = await readFile(path);
  expect(image).toMatchObject({
    bytes: stored.length,
    sha256: createHash('sha256').update(stored).digest('hex'),
  });
  await writeFile(path, stored.subarray(1));
  const shorter = `its image has ${stored.length - 1} bytes, not ${stored.length}`;
  expect(await problems(stack)).toEqual([shorter]);

  await writeFile(path, Buffer.alloc(stored.length));
  expect(await problems(stack)).toEqual([]);
  const changed = { id: generation, problem: 'its image is another file than the one that was stored' };
  expect(await stack.audit('contents')).toEqual([changed]);
  await writeFile(path, stored);
  expect(await stack.audit('contents')).toEqual([]);
});

test('a set that lost a generation, and a photo that is missing', async ({ stack, seller, window }) => {
  const [first, second] = (await seller.submitSet(2)).map(({ id }) => id) as [string, string];
  await Promise.all([first, second].map((id) => window.untilEnded(id)));
  await expect.poll(() => problems(stack)).toEqual([]);
  await changeGeneration(stack, second, { set: { id: first, index: 0, size: 2 } });
  const incomplete = 'its set has 1 of 2 generations';
  expect((await problems(stack)).sort()).toEqual([incomplete, incomplete, `take 0 of 2 of set ${first}`]);
  await changeGeneration(stack, second, { set: { id: first, index: 1, size: 2 }, state: 'queued' });
  await rm(join(stack.storageFolder, 'photo-sets', first), { recursive: true });
  expect(await problems(stack)).toEqual([
    'queued without a hold',
    'queued, but the ledger has settle',
    'a photo of it is missing',
  ]);
});

test('images made again at no charge that do not add up', async ({ stack, seller, generation, window }) => {
  await changeGeneration(stack, generation, { match: { level: 'low', area: null } });
  const answer = await seller.request<GenerationSet>(paths.remake(generation), { method: 'POST' });
  const { id } = answer.body.generations[0]!;
  await window.untilEnded(id);
  await expect.poll(() => problems(stack)).toEqual([]);
  await changeGeneration(stack, generation, { remade_by: 'another' });
  expect((await problems(stack)).sort()).toEqual([
    'it is made again by another, which does not name it',
    `it makes ${generation} again, which does not name it`,
  ]);
  await changeGeneration(stack, generation, { remade_by: id });
  await changeProfile(stack, seller, { $set: { 'remakes.used': 21, 'remakes.made': 2 } });
  const month = new Date().toISOString().slice(0, 7);
  expect(await problems(stack)).toEqual([
    "the ledger's remake entries add up to 1, not 2",
    `21 images made again in ${month}, 0 of them on hold; 2 in all`,
  ]);
  await changeProfile(stack, seller, { $set: { 'remakes.used': 1, 'remakes.made': 1 } });
  await addEntry(stack, { profile: seller.id, key: id, kind: 'settle', count: 0 });
  expect(await problems(stack)).toEqual([
    'succeeded, but the ledger has remake and settle',
    'its ledger entry has another count or seller',
  ]);
});

test('a plan without its subscription, and fair use of images that were never settled', async ({
  stack,
  seller,
}) => {
  await changeProfile(stack, seller, { $set: { subscription_id: null, grace_until: new Date() } });
  expect(await problems(stack)).toEqual([
    'active, but without a subscription',
    'active, but with a grace period',
  ]);
  await changeProfile(stack, seller, {
    $set: { subscription_status: 'past_due', subscription_id: 'sub', grace_until: null, 'fair_use.used': 1 },
  });
  expect(await problems(stack)).toEqual([
    'fair use 1 is more than the 0 settled without a limit',
    'past_due, but without a grace period',
  ]);
});
