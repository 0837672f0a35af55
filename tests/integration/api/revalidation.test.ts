/** Lists that a browser may keep: what did not change is answered 304, and any change of what a list shows gives another tag. */
import type { UpdateQuery } from 'mongoose';
import { expect } from 'vitest';
import {
  type BatchImage,
  type BatchItem,
  type BatchSummary,
  type GenerationView,
  identityRecipe,
  type ProjectView,
  paths,
  withoutItems,
} from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import type { BatchItemRow, BatchRow } from '#shared/data/batches/schema.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { ProjectRow } from '#shared/data/projects.ts';
import { recordDuration } from '#shared/data/queue/durations.ts';
import { bucketOf } from '#shared/platform/histogram.ts';
import { insertEndedBatch } from '#tests/campaigns/support/rows.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import type { Answer, Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller({ workers: 0 });

/** Asks for a page, as a browser that has one with this tag. */
const ask = (seller: Seller, path: string, tag?: string | null) =>
  seller.request<object | string>(path, { headers: tag ? { 'if-none-match': tag } : {} });

const tagOf = ({ headers }: Answer<unknown>) => headers.get('etag')!;

/** Asks for pages that did not change. @returns their tags by their paths */
async function unchanged(seller: Seller, asked: readonly string[]): Promise<Map<string, string>> {
  const tags = new Map<string, string>();
  for (const path of asked) {
    const first = await ask(seller, path);
    expect([path, first.status, first.headers.get('cache-control'), first.headers.get('vary')]).toEqual([
      path,
      200,
      'private, no-cache',
      'Authorization, Cookie',
    ]);
    expect(tagOf(first)).toMatch(/^W\/"[\w-]{43}"$/);
    const again = await ask(seller, path, tagOf(first));
    expect([path, again.status, again.body, tagOf(again)]).toEqual([path, 304, '', tagOf(first)]);
    expect(again.headers.get('cache-control')).toBe('private, no-cache');
    tags.set(path, tagOf(first));
  }
  return tags;
}

/** Expects of each page that it changed. @returns the tags by the paths, and the pages as they are */
async function changed(seller: Seller, tags: ReadonlyMap<string, string>, what: string) {
  const now = new Map<string, string>();
  const bodies: object[] = [];
  for (const [path, tag] of tags) {
    const reply = await ask(seller, path, tag);
    expect([what, path, reply.status]).toEqual([what, path, 200]);
    expect(tagOf(reply)).not.toBe(tag);
    now.set(path, tagOf(reply));
    bodies.push(reply.body as object);
  }
  return { tags: now, bodies };
}

test('errors of these routes are not kept', async ({ seller }) => {
  for (const path of [paths.generation('none'), `${paths.library}?limit=0`]) {
    const { status, headers } = await ask(seller, path);
    expect(status).toBeGreaterThanOrEqual(400);
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null]);
  }
});

test('a tag is compared as RFC 9110 says, and is of no use to another seller', async ({ stack, seller }) => {
  await insertImage(stack, seller);
  const tag = tagOf(await ask(seller, paths.generations));
  const strong = tag.replace('W/', '');
  for (const list of [strong, `"other", ${tag}`, `W/"a",${strong}`]) {
    expect([list, (await ask(seller, paths.generations, list)).status]).toEqual([list, 304]);
  }
  for (const list of ['"other"', strong.replaceAll('"', ''), `${tag}x`]) {
    expect([list, (await ask(seller, paths.generations, list)).status]).toEqual([list, 200]);
  }
  const stranger = await stack.seller();
  const theirs = await ask(stranger, paths.generations, tag);
  expect([theirs.status, theirs.body]).toEqual([200, { generations: [], nextCursor: null }]);
  const nobody = await fetch(stack.url + paths.generations, { headers: { 'if-none-match': tag } });
  expect([nobody.status, nobody.headers.get('cache-control')]).toEqual([401, 'no-store']);
});

type Update = UpdateQuery<GenerationRow>;
const box = { x: 0.1, y: 0.1, width: 0.5, height: 0.5 };
const set = (fields: object): Update => ({ $set: fields });
const running = { state: 'running', image: null, ended_at: null };

/** For each field of a generation what changes it in the database; null for one that never changes. */
const ofGeneration: Record<keyof GenerationView, Update | null> = {
  id: null,
  isTest: null,
  state: set({ state: 'cancelled' }),
  revision: { $inc: { revision: 1 } },
  set: set({ 'set.size': 4 }),
  projectId: set({ project: 'another' }),
  batchId: set({ batch: { id: 'a-batch', row: 0, take: 0, attempt: 1 } }),
  prompt: set({ prompt: 'On a blue table' }),
  productName: set({ product_name: 'Another cup' }),
  sku: set({ sku: 'SKU-7' }),
  asin: set({ asin: 'B000123456' }),
  photos: set({ 'photos.0.warnings': ['blurry'] }),
  photosShow: set({ photos_show: 'several-products' }),
  options: set({ 'options.seed': 7 }),
  composedPrompt: set({ prompt: 'On a green table' }),
  image: set({ 'image.width': 17 }),
  edits: set({ edits: { version: 3, recipe: identityRecipe } }),
  favourite: set({ favourite: true }),
  match: set({ match: { level: 'high', area: null, crops: { photo: 0, inPhoto: box, inImage: box } } }),
  remake: set({ state: 'succeeded', match: { level: 'low', area: null } }),
  remakeOf: set({ remake_of: 'f'.repeat(24) }),
  parentId: set({ parent: 'e'.repeat(24) }),
  rootId: set({ root: 'd'.repeat(24) }),
  change: set({ change: { instruction: 'Warmer', image_key: 'key', mask_key: null } }),
  failure: set({ state: 'failed', image: null, failure: { code: 'TIMED_OUT', detail: '' } }),
  createdAt: set({ created_at: new Date('2026-11-01T00:00:00Z') }),
  startedAt: set({ started_at: new Date('2026-11-02T00:00:00Z') }),
  // The last ones take it out of the states of ended ones.
  endedAt: set({ ended_at: new Date('2026-11-03T00:00:00Z') }),
  imageUsed: {
    $set: { state: 'cancelled', charged: true, image: null, failure: null },
    // One that is made again at no charge never uses one.
    $unset: { remake_of: 1 },
  },
  progress: set({ ...running, progress: { stage: 'drawing', previews: 0, previews_expected: 2 } }),
  previewUrl: set({ ...running, preview_key: 'generations/x/preview-1-0.webp' }),
  timeLeft: set({ started_at: new Date() }),
  position: set({ ...running, state: 'queued', progress: null, started_at: null }),
};

/** Lets the server know how long images take, before it reads that for the first time. */
async function knowTimes({ db, config }: TestStack): Promise<void> {
  const kind = { model: config.image.model, size: '1024x1024', quality: 'high' } as const;
  await Promise.all(Array.from({ length: 10 }, () => recordDuration(db, kind, bucketOf(30_000))));
}

test('each field of a generation that changes gives another tag to all lists that show it', async ({
  stack,
  seller,
}) => {
  await knowTimes(stack);
  const { _id: id } = await insertImage(stack, seller);
  const pages = [paths.generations, paths.generation(id), paths.library];
  let tags = await unchanged(seller, pages);
  let before = await seller.generation(id);
  for (const [name, update] of Object.entries(ofGeneration)) {
    if (update === null) continue;
    await stack.models.generations.updateOne({ _id: id }, update);
    const after = await seller.generation(id);
    const field = name as keyof GenerationView;
    expect([name, after[field]]).not.toEqual([name, before[field]]);
    ({ tags } = await changed(seller, tags, name));
    before = after;
  }
  // Gone from the lists, and not answered as unchanged.
  await stack.models.generations.updateOne(
    { _id: id },
    set({ deletion: { stage: 'trashed', at: new Date() } }),
  );
  expect((await ask(seller, paths.generation(id), tags.get(paths.generation(id)))).status).toBe(404);
  for (const path of [paths.generations, paths.library]) {
    const { status, body } = await ask(seller, path, tags.get(path));
    expect([status, body]).toEqual([200, { generations: [], nextCursor: null }]);
  }
});

test('lists of takes, versions and images that are not ended do the same', async ({ seller }) => {
  const [take] = await seller.submitSet(2);
  const pages = [
    `${paths.generations}?set=${take!.set.id}`,
    `${paths.generations}?root=${take!.id}`,
    `${paths.generations}?pending=true`,
    `${paths.generations}?project=${seller.id}`,
  ];
  // Nothing says how long they take, so their replies are the same until something happens.
  const tags = await unchanged(seller, pages);
  await seller.cancel(take!.id);
  await changed(seller, tags, 'cancelled');
});

type BatchUpdate = { batch: UpdateQuery<BatchRow> } | { item: UpdateQuery<BatchItemRow> } | { image: Update };
const later = new Date(Date.now() + 3_600_000);

/** For each field of a batch what changes it; null for one that never changes, or follows from another one. */
const ofBatch: Record<keyof BatchSummary, BatchUpdate | null> = {
  id: null,
  name: { batch: { $set: { name: 'Winter' } } },
  projectId: { batch: { $set: { project: 'another' } } },
  rows: { batch: { $set: { rows: 3 } } },
  counts: { batch: { $set: { 'outcome.failed': 1 } } },
  createdAt: { batch: { $set: { created_at: new Date('2026-11-01T00:00:00Z') } } },
  endedAt: { batch: { $set: { ended_at: new Date('2026-11-02T00:00:00Z') } } },
  cancelled: { batch: { $set: { cancelled_at: new Date() } } },
  state: { batch: { $set: { state: 'running' }, $unset: { cancelled_at: 1, outcome: 1 } } },
  waitsUntil: { batch: { $set: { waits_until: later } } },
  // It needs a worker, and this stack has none.
  timeLeft: null,
  pausedBecause: { batch: { $set: { state: 'paused', paused_because: 'It is late.' } } },
  removedAt: { batch: { $set: { state: 'uploading' } } },
};

/** The same for a row, but for what its images show. */
const ofItem: Record<Exclude<keyof BatchItem, 'images'>, BatchUpdate | null> = {
  index: null,
  sku: { item: { $set: { sku: 'OTHER' } } },
  asin: { item: { $set: { asin: 'B000123456' } } },
  name: { item: { $set: { name: 'Another mug' } } },
  prompt: { item: { $set: { prompt: 'On slate' } } },
  width: { item: { $set: { 'options.width': 1_536 } } },
  height: { item: { $set: { 'options.height': 1_536 } } },
  photos: { item: { $set: { 'photos.0.name': 'other.png' } } },
};

/** The same for an image. */
const ofImage: Record<keyof BatchImage, BatchUpdate | null> = {
  take: null,
  generationId: null,
  match: { image: set({ match: { level: 'low', area: null } }) },
  approved: { image: set({ 'batch.approved': true }) },
  againFailure: { image: set({ 'batch.again_failure': 'No image data returned from API' }) },
  imageUrl: { image: set({ edits: { version: 3, recipe: identityRecipe } }) },
  thumbnailUrl: { image: set({ edits: { version: 4, recipe: identityRecipe } }) },
  failure: { image: set({ state: 'failed', failure: { code: 'TIMED_OUT', detail: '' } }) },
  state: { image: set({ state: 'cancelled' }) },
};

test('each field of a batch, of its rows and of their images does the same', async ({ stack, seller }) => {
  const { models, db } = stack;
  const id = await insertEndedBatch(db, seller.id, 2);
  const [list, one, rows] = [
    batchPaths.batches,
    batchPaths.batch(id) + withoutItems,
    `${batchPaths.batchItems(id)}?from=0`,
  ];
  const apply = async (update: BatchUpdate) => {
    if ('batch' in update) await models.batches.updateOne({ _id: id }, update.batch);
    else if ('item' in update) await models.batchItems.updateOne({ batch: id, index: 0 }, update.item);
    else await models.generations.updateOne({ 'batch.id': id, 'batch.row': 0 }, update.image);
  };
  const tags = await unchanged(seller, [list, one, rows]);
  const tagsOf = (...names: string[]) => new Map([...tags].filter(([path]) => names.includes(path)));
  const expectChanges = async (updates: Record<string, BatchUpdate | null>, ...pages: string[]) => {
    let current = tagsOf(...pages);
    for (const [name, update] of Object.entries(updates)) {
      if (update === null) continue;
      await apply(update);
      ({ tags: current } = await changed(seller, current, name));
    }
  };
  await expectChanges(ofItem, rows);
  await expectChanges(ofImage, rows);
  tags.set(one, tagOf(await ask(seller, one)));
  await expectChanges(ofBatch, list, one);
});

/** The same for a project. */
const ofProject: Record<keyof ProjectView, UpdateQuery<ProjectRow> | { image: Update } | null> = {
  id: null,
  isDefault: null,
  name: { $set: { name: 'Winter' } },
  images: { image: set({ state: 'cancelled' }) },
  coverUrl: { image: set({ state: 'succeeded' }) },
  createdAt: { $set: { created_at: new Date('2026-11-01T00:00:00Z') } },
  updatedAt: { $set: { updated_at: new Date('2026-11-02T00:00:00Z') } },
};

test('each field of a project does the same', async ({ stack, seller }) => {
  const { _id: image } = await insertImage(stack, seller);
  // The first list makes the default project.
  await ask(seller, paths.projects);
  let tags = await unchanged(seller, [paths.projects, paths.project(seller.id)]);
  for (const [name, update] of Object.entries(ofProject)) {
    if (update === null) continue;
    if ('image' in update) await stack.models.generations.updateOne({ _id: image }, update.image as Update);
    else await stack.models.projects.updateOne({ _id: seller.id }, update);
    ({ tags } = await changed(seller, tags, name));
  }
});
