/** The library: search, filters, sort and pages. */
import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { type GenerationList, type LibraryQuery, librarySorts, paths, sceneTemplates } from '#contract';
import { newId } from '#shared/data/db.ts';
import { searchFieldsOf } from '#shared/data/generations/search-fields.ts';
import { call } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { rowDefaults } from '#tests/support/sample-rows.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';

const seed = randomInt(2 ** 31);
console.log(`library.test.ts: seed ${seed}`);

const test = testWithSeller({ workers: 0 });

type Query = Partial<Record<keyof LibraryQuery, string>>;
const search = (seller: Seller, query: Query) =>
  seller.request<GenerationList>(`${paths.library}?${new URLSearchParams(query)}`);
const pathOf = (query: Query) => `${paths.library}?${new URLSearchParams(query)}`;

/** Reads all pages. @returns the ids, page after page */
async function searchAll(seller: Seller, query: Query): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { status, body } = await search(seller, { ...query, ...(cursor && { cursor }) });
    expect(status).toBe(200);
    pages.push(body.generations.map(({ id }) => id));
    cursor = body.nextCursor;
  }
  return pages;
}

interface Image {
  name?: string;
  sku?: string;
  prompt?: string;
  project?: string;
  favourite?: true;
  state?: 'succeeded' | 'failed';
  at?: Date;
  deleted?: boolean;
}

/** Stores ended images of a seller without making them. @returns their ids */
async function store(
  { models }: TestStack,
  { id: profile }: Pick<Seller, 'id'>,
  images: Image[],
): Promise<string[]> {
  const rows = images.map((image) => {
    const {
      name: product_name = '',
      sku,
      prompt = 'On oak',
      project,
      favourite,
      state = 'succeeded',
    } = image;
    const { at = new Date(), deleted } = image;
    const texts = { prompt, product_name, ...(sku !== undefined && { sku }) };
    const id = newId();
    return {
      ...rowDefaults(id),
      ...texts,
      ...searchFieldsOf(texts),
      ...(project !== undefined && { project }),
      ...(favourite && { favourite }),
      ...(deleted && { deletion: { stage: 'trashed' as const, at } }),
      profile,
      photos: [],
      state,
      created_at: at,
      queued_at: at,
      ended_at: at,
    };
  });
  await models.generations.insertMany(rows);
  return rows.map(({ _id }) => _id);
}

test('search and every filter, alone and together', async ({ stack, seller }) => {
  const stranger = await stack.seller();
  await store(stack, stranger, [{ name: 'Mug' }]);
  const day = (number: number) => new Date(Date.UTC(2026, 9, number));
  const [mug, lamp, shoe, gone, rare] = (await store(stack, seller, [
    { name: 'Blue Mug', sku: 'MUG-001', favourite: true, at: day(1) },
    { name: 'Lámpara', prompt: `${sceneTemplates[1]}: soft light`, state: 'failed', at: day(2) },
    { prompt: 'A shoe beside a mug', project: 'shoes', at: day(3) },
    { name: 'Mug', deleted: true, at: day(4) },
    // A letter beyond the first 65,536 sorts after all others.
    { name: '\u5927\u{20bb7}', at: day(0) },
  ])) as [string, string, string, string, string];
  const found = async (query: Query) => (await searchAll(seller, query)).flat();
  expect(await found({})).toEqual([shoe, lamp, mug, rare]);
  expect(await found({ q: '\u5927' })).toEqual([rare]);
  expect(await found({ q: 'mug' })).toEqual([shoe, mug]);
  expect(await found({ q: 'BLUE mu' })).toEqual([mug]);
  expect(await found({ q: '001' })).toEqual([mug]);
  expect(await found({ q: 'lampa' })).toEqual([lamp]);
  expect(await found({ q: 'mug lamp' })).toEqual([]);
  // Nothing of it is a pattern.
  expect(await found({ q: '.* $ne' })).toEqual([]);
  expect(await found({ favourite: 'true' })).toEqual([mug]);
  expect(await found({ state: 'failed' })).toEqual([lamp]);
  expect(await found({ project: 'shoes' })).toEqual([shoe]);
  expect(await found({ project: seller.id })).toEqual([lamp, mug, rare]);
  expect(await found({ template: sceneTemplates[1] })).toEqual([lamp]);
  expect(await found({ from: day(2).toISOString(), to: day(3).toISOString() })).toEqual([lamp]);
  expect(await found({ q: 'mug', project: 'shoes', state: 'succeeded' })).toEqual([shoe]);
  expect(await found({ q: 'mug', favourite: 'true', project: 'shoes' })).toEqual([]);
  expect(await found({ sort: 'oldest' })).toEqual([rare, mug, lamp, shoe]);
  // Those without a name come last.
  expect(await found({ sort: 'name' })).toEqual([mug, lamp, rare, shoe]);
  const days = { from: day(1).toISOString(), to: day(3).toISOString() };
  expect(await found({ sort: 'name', ...days })).toEqual([mug, lamp]);

  const name = { productName: 'Teapot', sku: 'POT-7' };
  const renamed = await call(seller, 'PATCH', paths.generation(mug), name);
  expect(renamed).toMatchObject({ status: 200, body: { ...name, favourite: true } });
  expect(await found({ q: 'mug' })).toEqual([shoe]);
  expect(await found({ q: 'pot 7 teapot' })).toEqual([mug]);
  expect(await found({ q: 'mug', state: 'succeeded' })).not.toContain(gone);
});

test('pages of many images have no gap and no repeat, in every order', async ({ stack, seller }) => {
  // More than are read at once, many at the same moment and under the same name.
  const random = (most: number) => Math.floor(next() * most);
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const images = Array.from(
    { length: 950 },
    (_, index): Image => ({
      name: `Cup ${random(20)}`,
      at: new Date(1_790_000_000_000 + random(200) * 1_000),
      // One in a hundred, all of them among the oldest or anywhere.
      ...(index % 100 === 0 && { sku: 'rare' }),
    }),
  );
  const ids = await store(stack, seller, images);
  for (const sort of librarySorts) {
    const pages = await searchAll(seller, { sort, limit: '100' });
    expect(pages.flat().toSorted()).toEqual(ids.toSorted());
    expect(pages[0]).toHaveLength(100);
    // A common word, which is not looked up.
    expect((await searchAll(seller, { sort, limit: '90', q: 'cup' })).flat()).toEqual(pages.flat());
    const since = new Date(1_790_000_100_000);
    const late = (await searchAll(seller, { sort, limit: '90', from: since.toISOString() })).flat();
    expect(late).toEqual(pages.flat().filter((id) => images[ids.indexOf(id)]!.at! >= since));
    const rare = (await searchAll(seller, { sort, limit: '3', q: 'rare cup' })).flat();
    expect(rare).toEqual(pages.flat().filter((id) => images[ids.indexOf(id)]!.sku === 'rare'));
  }
  // One that is added while pages are read is not in later ones, and moves nothing.
  const first = (await search(seller, { limit: '10' })).body;
  await store(stack, seller, [{ name: 'New' }]);
  const second = (await search(seller, { limit: '10', cursor: first.nextCursor! })).body;
  const shown = [...first.generations, ...second.generations].map(({ id }) => id);
  expect(new Set(shown).size).toBe(20);
});

test('wrong input is refused', async ({ seller }) => {
  const { body } = await search(seller, { limit: '1' });
  expect(body.nextCursor).toBeNull();
  const other = Buffer.from(JSON.stringify(['name', 1, 'a'.repeat(24), 'x'])).toString('base64url');
  for (const [query, field] of [
    [{ cursor: other }, 'cursor'],
    [{ cursor: 'x' }, 'cursor'],
    [{ sort: 'price' }, 'sort'],
    [{ limit: '101' }, 'limit'],
    [{ q: 'x'.repeat(201) }, 'q'],
    [{ from: 'yesterday' }, 'from'],
    [{ state: 'receiving' }, 'state'],
    [{ template: 'Moon' }, 'template'],
  ] as const) {
    expectError(await seller.request(pathOf(query as Query)), 'VALIDATION', { field });
  }
});
