/** Whatever is stored about a seller is in the list of places, so that it is exported and deleted, or the list says why not. */
import { readdir } from 'node:fs/promises';
import { strFromU8 } from 'fflate';
import { expect } from 'vitest';
import { ownPresetPaths, paths } from '#contract';
import { finishDeletion } from '#shared/accounts/deletion.ts';
import { beginDeletion } from '#shared/data/accounts/deletion.ts';
import { otherPlaces, type SellerPlaceName, sellerPlaces } from '#shared/data/accounts/seller-places.ts';
import { connectionOf } from '#shared/data/collection.ts';
import { newId } from '#shared/data/db.ts';
import { insertRefusal } from '#shared/data/generations/refusals.ts';
import { appendOperatorAction } from '#shared/data/operator/operator-actions.ts';
import { addJob } from '#shared/platform/queue.ts';
import { call, post, signIn } from '#tests/support/account.ts';
import { giveKey } from '#tests/support/api-keys.ts';
import { postBatch, sampleRows } from '#tests/support/batches.ts';
import { workerContext } from '#tests/support/credits.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { newAddress, tokenFromMail } from '#tests/support/visitor.ts';
import { download, test } from './export-steps.ts';

/** Gives a seller something in every place. @returns the previous address */
async function fill(stack: TestStack, seller: Seller): Promise<string> {
  const email = newAddress();
  await call(seller, 'POST', paths.email, { email, password: testPassword });
  const { token } = await tokenFromMail(stack, email, 'confirmEmail');
  const confirmed = await post(stack.url, paths.confirmEmail, { token, password: testPassword });
  expect(confirmed.status).toBe(204);
  expect((await signIn(stack.url, { email })).status).toBe(200);
  const image = await insertImage(stack, seller);
  const look = await call(seller, 'POST', paths.looks, {
    name: 'Oak',
    scene: 'On oak',
    pictureOf: image._id,
  });
  const batch = await postBatch(seller, { rows: await sampleRows(1) });
  const preset = { name: 'Shop', width: 400, height: 300, format: 'png' };
  const presets = await call(seller, 'POST', ownPresetPaths.ownPresets, preset);
  expect([look.status, batch.status, presets.status]).toEqual([201, 201, 201]);
  await giveKey(stack, seller);
  await stack.models.unpaidCalls.create({
    _id: `seller:${seller.id}:2026-11-26`,
    calls: ['a-generation 1'],
    expires_at: new Date(Date.now() + 86_400_000),
  });
  await stack.models.deletedBatches.create({
    _id: newId(),
    profile: seller.id,
    key: 'autumn',
    fingerprint: 'a hash',
    deleted_at: new Date(),
  });
  await insertRefusal(stack.db, {
    _id: image._id,
    profile: seller.id,
    at: new Date(),
    stage: 'input',
    categories: ['violence'],
  });
  await appendOperatorAction(stack.db, {
    operator: null,
    operator_name: 'command line',
    action: 'read-plan',
    target_kind: 'seller',
    target: seller.id,
    reason: 'a test',
    // As commands write it.
    details: email,
  });
  return seller.email;
}

/** The files in the storage whose paths have one of these ids. */
async function filesOf(stack: TestStack, ids: readonly string[]): Promise<string[]> {
  const all = await readdir(stack.storageFolder, { recursive: true });
  return all.filter((path) => ids.some((id) => path.includes(id)));
}

/** The jobs of the queue, as they are stored: whatever the queue's store has of an image. */
async function jobsOf(stack: TestStack): Promise<string> {
  const { queue } = stack.server.context;
  const jobs = await queue.getJobs(['wait', 'prioritized', 'delayed', 'active', 'completed', 'failed']);
  return JSON.stringify(jobs.map((job) => job.asJSON()));
}

/** The collections that have the seller's id or an address of theirs, by the names of their models. */
async function placesOf(stack: TestStack, texts: readonly string[]): Promise<string[]> {
  const names = new Map(
    Object.entries(stack.models).map(([name, model]) => [model.collection.collectionName, name]),
  );
  const { db } = connectionOf(stack.db);
  const found: string[] = [];
  for (const { name } of await db!.listCollections({}, { nameOnly: true }).toArray()) {
    const rows = await db!.collection(name).find().toArray();
    if (rows.some((row) => texts.some((text) => JSON.stringify(row).includes(text))))
      found.push(names.get(name) ?? name);
  }
  return found.sort();
}

test('every collection that mentions a seller is in the list; the export has its file, and the deletion leaves what the list says', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const previous = await fill(stack, seller);
  const { email } = (await seller.me()).user;
  const texts = [seller.id, previous, email];
  const listed = Object.keys(sellerPlaces);
  const places = await placesOf(stack, texts);
  expect(places.filter((name) => !listed.includes(name))).toEqual([]);
  expect(places.filter((name) => name in otherPlaces)).toEqual([]);
  expect(places).toEqual(expect.arrayContaining(['accountTokens', 'knownDevices', 'mails', 'unpaidCalls']));

  // What is in the storage and in the queue is found by the ids of the seller's images, batches and looks.
  const [generation] = await stack.models.generations.find({ profile: seller.id }).lean();
  const [look] = await stack.models.looks.find({ profile: seller.id }).lean();
  const [batch] = await stack.models.batches.find({ profile: seller.id }).lean();
  const ids = [seller.id, generation!._id, generation!.photo_set!, look!._id, batch!._id];
  expect(await filesOf(stack, ids)).not.toEqual([]);
  // The queue knows the id of an image and nothing of its seller, so nothing has to be removed there.
  // Paused, so that no worker takes the job before it is read.
  const { queue } = stack.server.context;
  await queue.pause();
  await addJob(queue, generation!);
  const jobs = await jobsOf(stack);
  await queue.resume();
  expect(jobs).toContain(generation!._id);
  expect(texts.filter((text) => jobs.includes(text))).toEqual([]);

  const { files } = await download(stack, seller);
  for (const name of places) {
    const { exported } = sellerPlaces[name as SellerPlaceName];
    if (typeof exported !== 'string') continue;
    expect(JSON.parse(strFromU8(files[exported]!)), exported).not.toEqual([]);
    expect(strFromU8(files['README.txt']!)).toContain(exported);
  }
  const addresses = JSON.parse(strFromU8(files['addresses.json']!));
  expect(addresses).toEqual([
    expect.objectContaining({ address: previous, use: expect.stringContaining('reserved') }),
    expect.objectContaining({ address: previous }),
  ]);
  const { record } = JSON.parse(strFromU8(files['profile.json']!));
  const stored = await connectionOf(stack.db)
    .db!.collection('profiles')
    .findOne({ _id: seller.id as never });
  expect(Object.keys(record).sort()).toEqual(Object.keys(stored!).sort());

  await expect.poll(() => stack.models.mails.countDocuments({ ended_at: null })).toBe(0);
  // An account can only be deleted a week after a change of its address: what was mailed to the previous one is gone by then.
  await stack.models.mails.deleteMany({ to: previous });
  await beginDeletion(stack.db, seller.id);
  expect(await finishDeletion(workerContext(stack), seller.id, new Date(Date.now() + 1))).toBe(true);
  await stack.models.mails.deleteMany({ kind: 'accountDeleted' });
  const stays = Object.entries(sellerPlaces).filter(([, { removed }]) => typeof removed === 'object');
  const left = await placesOf(stack, texts);
  expect(left.filter((name) => !stays.some(([each]) => each === name))).toEqual([]);
  expect(left).toContain('operatorActions');
  // Of the log the id is left, and no address.
  expect(await placesOf(stack, [previous, email])).toEqual([]);
  expect(await filesOf(stack, ids)).toEqual([]);
});

test('a collection with a field for a seller or an address is in the list of what is exported and deleted', ({
  stack,
}) => {
  const fields = ['profile', 'user_id', 'seller', 'email', 'to'];
  const about = Object.entries(stack.models)
    .filter(([, { schema }]) => fields.some((field) => field in schema.paths))
    .map(([name]) => name);
  expect(about.length).toBeGreaterThan(10);
  expect(about.filter((name) => !(name in sellerPlaces))).toEqual([]);
});
