/** Operators and generations: search, the whole life, photos after a reason, retry, cancel, release. */
import { expect } from 'vitest';
import {
  type OperatorGenerationAction,
  type OperatorGenerationList,
  type OperatorGenerationReply,
  type OperatorGenerationView,
  type OperatorPhotos,
  operatorPaths,
} from '#contract';
import { call } from '#tests/support/account.ts';
import { forfeitUntil } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { operatorOf } from '#tests/support/operator.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import type { Seller } from '#tests/support/seller.ts';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller({ workers: 0 }).extend('operator', { scope: 'file' }, ({ stack }) =>
  operatorOf(stack),
);
test.beforeEach(({ stack }) => stack.images.reset());
const reason = 'Asked for by the seller';

const view = async (operator: Seller, id: string) =>
  (await operator.request<OperatorGenerationView>(operatorPaths.generation(id))).body;
const titles = ({ life }: OperatorGenerationView) => life.map(({ title }) => title);

async function act(operator: Seller, id: string, action: OperatorGenerationAction, revision?: number) {
  return call<OperatorGenerationReply>(operator, 'POST', operatorPaths.generationAction(id, action), {
    reason,
    revision: revision ?? (await view(operator, id)).revision,
  });
}

async function search(operator: Seller, query: Record<string, string>): Promise<string[]> {
  const path = `${operatorPaths.generations}?${new URLSearchParams(query)}`;
  const { status, body } = await operator.request<OperatorGenerationList>(path);
  expect(status).toBe(200);
  return body.generations.map(({ id }) => id);
}

const announced = 'Announced: the seller was notified';

test('the whole life of a generation, in order, with a refused call; found by everything it is searched by', async ({
  stack,
  seller,
  window,
  operator,
}) => {
  await stack.images.set({
    behaviours: [{ kind: 'error', status: 500, code: 'server_error', type: 'server_error' }],
  });
  const { id } = await seller.submit({ prompt: 'On slate' });
  const queued = await view(operator, id);
  expect(titles(queued)).toEqual([
    'Request received',
    'Hold placed: 1 image',
    'Accepted, and added to the queue',
  ]);
  expect(queued).toMatchObject({ sellerEmail: seller.email, prompt: 'On slate', photos: 1, hasImage: false });

  const worker = await stack.startWorker();
  expect((await window.untilEnded(id)).state).toBe('succeeded');
  await expect
    .poll(async () => titles(await view(operator, id)), eventually)
    .toEqual(expect.arrayContaining(['Settled: the image is used', announced]));
  await worker.close();
  const ended = await view(operator, id);
  // The last two may be of one millisecond.
  expect([...titles(ended).slice(0, -2), ...titles(ended).slice(-2).toSorted()]).toEqual([
    'Request received',
    'Hold placed: 1 image',
    'Accepted, and added to the queue',
    'Claimed with fence 1',
    'Call to the provider began',
    'The call failed: server',
    'Handed back, to be tried again',
    'Claimed with fence 3',
    'Call to the provider began',
    'The provider answered with an image',
    'Image stored, and the generation succeeded',
    announced,
    'Settled: the image is used',
  ]);
  const times = ended.life.flatMap(({ at }) => (at === null ? [] : [Date.parse(at)]));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(ended.life.filter(({ problem }) => problem).map(({ details }) => details)).toEqual([
    expect.stringMatching(/^status 500/),
  ]);
  const answered = ended.life.find(({ title }) => title.startsWith('The provider answered'))!;
  const requestId = /request (\S+),/.exec(answered.details)![1]!;

  const other = await stack.seller();
  const { id: waiting } = await other.submit();
  expect(await search(operator, { id })).toEqual([id]);
  const listed = await operator.request<OperatorGenerationList>(`${operatorPaths.generations}?id=${id}`);
  expect(listed.body.generations[0]).toMatchObject({ sellerId: seller.id, sellerEmail: seller.email });
  expect(await search(operator, { id: requestId })).toEqual([id]);
  expect(await search(operator, { seller: seller.email.toUpperCase() })).toEqual([id]);
  expect(await search(operator, { seller: seller.id, state: 'queued' })).toEqual([]);
  expect(await search(operator, { state: 'queued' })).toContain(waiting);
  const all = await search(operator, {});
  expect(all.indexOf(waiting)).toBeLessThan(all.indexOf(id));
  const first = await operator.request<OperatorGenerationList>(`${operatorPaths.generations}?limit=1`);
  const rest = await search(operator, { cursor: first.body.nextCursor! });
  expect([first.body.generations[0]!.id, ...rest]).toEqual(all);
  await other.cancel(waiting);
  expect(await search(operator, { until: '2020-01-01T00:00:00Z' })).toEqual([]);
  expect(await search(operator, { id: 'unknown' })).toEqual([]);
  expectError(await operator.request(`${operatorPaths.generations}?state=lost`), 'VALIDATION', {
    field: 'state',
  });
  expectError(await operator.request(operatorPaths.generation('unknown')), 'NOT_FOUND');
});

test('photos and image are shown only to the operator who said why, and not for ever', async ({
  stack,
  seller,
  operator,
}) => {
  const { id } = await seller.submit();
  const photo = operatorPaths.image(id, 'photo-0');
  expectError(await operator.request(photo), 'REASON_REQUIRED');
  expectError(await call(operator, 'POST', operatorPaths.photos(id), { reason: '' }), 'VALIDATION', {
    message: 'Please say why.',
    field: 'reason',
  });
  const shown = await call<OperatorPhotos>(operator, 'POST', operatorPaths.photos(id), { reason });
  expect(shown.body).toEqual({ photos: [photo], image: null });
  const answer = await operator.fetch(photo);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100);
  expectError(await (await operatorOf(stack)).request(photo), 'REASON_REQUIRED');
  expectError(await operator.request(operatorPaths.image(id, '..%2Fimage')), 'NOT_FOUND');
  const old = new Date(Date.now() - 601_000);
  await stack.models.operatorActions.updateMany({ target: id }, { $set: { at: old } });
  expectError(await operator.request(photo), 'REASON_REQUIRED');
  await seller.cancel(id);
});

test('a failed generation is retried once, on an image of its seller', async ({
  stack,
  seller,
  window,
  operator,
}) => {
  const moderation = { moderation_stage: 'output' as const, categories: ['sexual', 'x_new'] };
  await stack.images.set({ behaviours: [{ ...contentRefused, moderation }] });
  const { id } = await seller.submit({ prompt: 'On slate', productName: 'Cup' });
  const worker = await stack.startWorker();
  await window.untilEnded(id);
  const failed = await view(operator, id);
  expect(failed).toMatchObject({ state: 'failed', failure: 'CONTENT_REFUSED', actions: ['retry'] });
  expect(failed.life.map(({ details }) => details)).toContainEqual(
    expect.stringMatching(/sexual content\).*moderation of the output; categories sexual, x_new$/),
  );
  expect(await search(operator, { failure: 'CONTENT_REFUSED', seller: seller.id })).toEqual([id]);

  await forfeitUntil(stack, seller, 0);
  expect((await act(operator, id, 'retry')).status).toBe(402);
  await call(operator, 'POST', operatorPaths.sellerImages(seller.id), {
    action: 'give',
    count: 2,
    reason,
    key: crypto.randomUUID(),
  });
  const second = await operatorOf(stack);
  const both = await Promise.all([operator, second].map((each) => act(each, id, 'retry')));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const { retriedAs } = both.find(({ status }) => status === 200)!.body;
  expect(await window.untilEnded(retriedAs!)).toMatchObject({
    state: 'succeeded',
    prompt: 'On slate',
    productName: 'Cup',
  });
  expectError(await act(operator, id, 'retry'), 'NOT_REPEATABLE');
  expectError(await act(operator, retriedAs!, 'retry'), 'NOT_REPEATABLE');
  await worker.close();
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  expect((await seller.me()).subscription.freeImages).toMatchObject({ left: 1, held: 0 });
});

test('of two operators who cancel one generation, one is refused; nothing is charged', async ({
  stack,
  seller,
  operator,
}) => {
  const { id } = await seller.submit();
  const second = await operatorOf(stack);
  const { revision } = await view(operator, id);
  const both = await Promise.all([operator, second].map((each) => act(each, id, 'cancel', revision)));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await seller.generation(id)).toMatchObject({ state: 'cancelled', imageUsed: false });
  expectError(await act(operator, id, 'cancel', revision), 'GENERATION_CHANGED');
  expectError(await act(operator, id, 'cancel'), 'GENERATION_ENDED');
  const log = await operator.request(`${operatorPaths.actions}?target=${id}`);
  expect(log.body).toMatchObject({
    actions: [{ outcome: 'refused' }, { outcome: 'refused' }, { reason }, { reason }],
  });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a generation is taken from a worker that hangs, and another worker makes it', async ({
  stack,
  seller,
  window,
  operator,
}) => {
  await stack.images.set({ behaviours: [{ kind: 'stall-before' }] });
  const { id } = await seller.submit();
  const hanging = await stack.startWorker({ WORKER_CONCURRENCY: '1' });
  await expect.poll(async () => (await stack.images.state()).calls.length, eventually).toBe(1);
  const other = await stack.startWorker();
  expect((await act(operator, id, 'release')).body.generation.state).toBe('running');
  expect((await window.untilEnded(id)).state).toBe('succeeded');
  await Promise.all([hanging.close(), other.close()]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
