/** Reading generations: those of other sellers, HEAD requests, and the pages of the list. */
import { expect } from 'vitest';
import { type GenerationList, paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { sendRaw } from '#tests/support/raw-http.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

const test = testWithSharedSeller({ workers: 0 });

test("another seller's generation, a malformed id and a path out of the folder are all answered NOT_FOUND", async ({
  stack,
  seller,
}) => {
  const owner = await stack.seller();
  const { id } = await owner.submit();
  const ids = [
    id,
    'ffffffffffffffffffffffff',
    'x',
    'null',
    '[object Object]',
    '{"$gt":""}',
    '%7B%22%24ne%22%3Anull%7D',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e%2f%2e%2e',
    '%252e%252e%252f',
    `${id}%00`,
    `${id}%2e%2e`,
    '%00',
    'a'.repeat(1_000),
  ];
  const names = [
    'image',
    'photo-0',
    'photo-9',
    'photo--1',
    'preview-1-0',
    '..%2fphoto-0.png',
    '%252e%252e%252fphoto-0',
    'photo-0%00',
    'photo-0.png',
    '%2e%2e',
    'photo-0-thumbnail-thumbnail',
  ];
  const authorization = `Bearer ${seller.token}`;
  const answers = await Promise.all([
    ...ids.map((each) =>
      sendRaw(stack.url, { path: paths.generation(encoded(each)), headers: { authorization } }),
    ),
    ...ids.map((each) =>
      sendRaw(stack.url, {
        path: paths.cancelGeneration(encoded(each)),
        method: 'POST',
        headers: { authorization },
      }),
    ),
    ...ids.flatMap((each) =>
      names.map((name) =>
        sendRaw(stack.url, { path: paths.generationImage(encoded(each), name), headers: { authorization } }),
      ),
    ),
    // The owner gets NOT_FOUND for every name but that of the photo.
    ...names
      .filter((name) => name !== 'photo-0')
      .map((name) =>
        sendRaw(stack.url, {
          path: paths.generationImage(id, name),
          headers: { authorization: `Bearer ${owner.token}` },
        }),
      ),
  ]);
  for (const answer of answers) expectError(answer, 'NOT_FOUND');
  for (const path of [
    `${paths.generationImage(id, '')}../../../../etc/passwd`,
    '/..%2f..%2fpackage.json',
    '/../package.json',
    '/assets/..%2f..%2f..%2fpackage.json',
  ]) {
    const answer = await sendRaw(stack.url, { path, headers: { authorization: `Bearer ${owner.token}` } });
    expectError(answer, 'NOT_FOUND');
  }
  expect((await owner.generation(id)).state).toBe('queued');
});

/** An id as a path segment. Ids with % are encoded already. */
function encoded(id: string): string {
  return id.includes('%') ? id : encodeURIComponent(id);
}

test('HEAD is answered like GET, without a body', async ({ stack }) => {
  const own = await stack.seller();
  const { photos } = await own.submit();
  for (const [path, status] of [
    [paths.me, 200],
    [paths.generations, 200],
    // Fastify would read the whole file: `head-requests.test.ts`.
    [photos[0]!.url, 404],
    [paths.generation('x'), 404],
    ['/api/nothing', 404],
    ['/healthz', 200],
  ] as const) {
    const headers = { authorization: `Bearer ${own.token}` };
    const answer = await fetch(stack.url + path, { method: 'HEAD', headers });
    expect(await answer.text()).toBe('');
    expect([path, answer.status]).toEqual([path, status]);
  }
  expect(await fetch(stack.url + paths.me, { method: 'HEAD' })).toMatchObject({ status: 401 });
});

test('pages of the list have no gaps, and fetching a page again gives the same', async ({ stack }) => {
  const own = await stack.seller();
  const submitted: string[] = [];
  for (let count = 0; count < 5; count += 1) submitted.unshift((await own.submit()).id);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const path: string = `${paths.generations}?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`;
    const { body } = await own.request<GenerationList>(path);
    expect((await own.request<GenerationList>(path)).body).toEqual(body);
    seen.push(...body.generations.map(({ id }) => id));
    cursor = body.nextCursor;
  } while (cursor !== null);
  expect(seen).toEqual(submitted);
});

test('with `pending=true` the list has only what has not ended, and of one seller', async ({ stack }) => {
  const [own, other] = await Promise.all([stack.seller(), stack.seller()]);
  const ids = [(await own.submit()).id, (await own.submit()).id, (await own.submit()).id];
  await other.submit();
  await own.request(paths.cancelGeneration(ids[1]!), { method: 'POST' });
  const { body } = await own.request<GenerationList>(`${paths.generations}?pending=true`);
  expect(body).toMatchObject({ generations: [{ id: ids[2] }, { id: ids[0] }], nextCursor: null });
});
