/** Calls of the provider: the row of failed ones, which opens the breaker, and the thread of a worker's calls. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, vi } from 'vitest';
import type { Behaviour } from '#local/openai/control-client.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { clearProviderFailures, countProviderFailure } from '#shared/data/queue/provider-flow.ts';
import { readProviderFlow } from '#shared/provider/flow.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { testWithStack } from '#tests/support/test.ts';
import { startOpenAi } from '#worker/providers/openai/start.ts';
import { partUntilFirstEvent } from '#worker/providers/openai/watchdog.ts';

const test = testWithStack({ workers: 0 });

test('failures at the same moment all count, also those that begin the row', async ({ stack }) => {
  const { db } = stack;
  const cutoff = new Date(Date.now() - 60_000);
  const countAtOnce = (count: number, since = cutoff) =>
    Promise.all(Array.from({ length: count }, () => countProviderFailure(db, since)));
  const sorted = (counts: number[]) => counts.toSorted((one, other) => one - other);
  expect(sorted(await countAtOnce(8))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await countAtOnce(1)).toEqual([9]);
  await clearProviderFailures(db);
  expect(sorted(await countAtOnce(3))).toEqual([1, 2, 3]);
  // Those before the cutoff are of an earlier row.
  expect(await countAtOnce(1, new Date(Date.now() + 1))).toEqual([1]);
});

test.beforeEach(({ stack }) => stack.images.reset());

const request = async () =>
  ({
    generation: {} as GenerationRow,
    seller: '656f00000000000000000001',
    prompt: 'a cup',
    photos: [await photo()],
    mask: null,
    quality: 'low',
    seed: null,
    width: 1024,
    height: 1024,
    background: 'opaque',
    signal: new AbortController().signal,
    onAccepted() {},
    onPreview() {},
  }) as const satisfies Parameters<ReturnType<typeof startOpenAi>['edit']>[0];

const photo = async () => new Blob([new Uint8Array(await samplePhoto())], { type: 'image/png' });

test('a call that is stopped before it begins is not made', async ({ stack }) => {
  const provider = startOpenAi(stack.config.image);
  const stopped = provider.edit({ ...(await request()), signal: AbortSignal.abort() });
  await expect(stopped).rejects.toMatchObject({ kind: 'aborted' });
  // Whatever would have been sent before it has arrived with this one.
  await provider.edit(await request());
  expect((await stack.images.state()).calls).toHaveLength(1);
  await provider.close();
});

test('when the thread ends, its calls count as lost, and the next call starts another one', async ({
  stack,
}) => {
  const provider = startOpenAi(stack.config.image);
  await stack.images.set({ behaviours: [{ kind: 'hold', after: 'previews' }] });
  const accepted = Promise.withResolvers<void>();
  const lost = provider.edit({ ...(await request()), onAccepted: () => accepted.resolve() });
  await accepted.promise;
  await Promise.all([
    expect(lost).rejects.toMatchObject({ kind: 'server', message: 'the thread of the call ended' }),
    provider.close(),
  ]);

  const { image, milliseconds } = await provider.edit(await request());
  expect(image.subarray(1, 4).toString()).toBe('PNG');
  expect(milliseconds).toBeGreaterThan(0);
  await provider.close();
});

const stallMs = limitMs(500);
/** Longer than a stall may last, and much shorter than a call may last. */
const slowMs = 2 * stallMs;
const patient = { stallMs, timeoutMs: 40 * stallMs };

test.for<[name: string, behaviour: Behaviour]>([
  ['the headers', { kind: 'late', headersMs: slowMs }],
  ['the first event', { kind: 'late', eventMs: slowMs }],
  ['the first event, with comments meanwhile', { kind: 'late', eventMs: slowMs, commentsMs: stallMs / 5 }],
  [
    'the end of the first event, whose bytes come one by one',
    { kind: 'late', dribble: { bytes: 20, everyMs: slowMs / 20 } },
  ],
])('%s may take longer than a stall: one call and one image', async ([, behaviour], { stack }) => {
  const provider = startOpenAi({ ...stack.config.image, ...patient });
  await stack.images.set({ behaviours: [behaviour] });
  const previews: number[] = [];
  const onPreview = (_png: Buffer, index: number) => void previews.push(index);
  const { image, milliseconds } = await provider.edit({ ...(await request()), onPreview });
  expect(image.subarray(1, 4).toString()).toBe('PNG');
  expect(previews).toEqual([0, 1]);
  expect(milliseconds).toBeGreaterThanOrEqual(slowMs);
  const { calls } = await stack.images.waitFor({ active: 0 });
  expect(calls.map(({ outcome }) => outcome)).toEqual(['completed']);
  await provider.close();
});

test('a stall after the first event is found, without waiting for the whole time', async ({ stack }) => {
  // The whole time is longer than this test may take.
  const provider = startOpenAi({ ...stack.config.image, stallMs, timeoutMs: limitMs(3_600_000) });
  await stack.images.set({ behaviours: [{ kind: 'late', eventMs: slowMs, thenStall: true }] });
  await expect(provider.edit(await request())).rejects.toMatchObject({ kind: 'stalled' });
  await stack.images.waitFor({ active: 0 });
  await provider.close();
});

test('a call without an event stalls shortly before its whole time is over', async ({ stack }) => {
  const provider = startOpenAi({ ...stack.config.image, stallMs: slowMs / 10, timeoutMs: slowMs });
  await stack.images.set({ behaviours: [{ kind: 'stall-before' }] });
  const began = performance.now();
  await expect(provider.edit(await request())).rejects.toMatchObject({ kind: 'stalled' });
  expect(performance.now() - began).toBeGreaterThanOrEqual(slowMs * partUntilFirstEvent - 1);
  await provider.close();
});

test.for<[name: string, behaviour: Behaviour, error: object]>([
  ['comments', { kind: 'endless', what: 'comments' }, { kind: 'invalid_response', status: null }],
  ['one event', { kind: 'endless', what: 'event' }, { kind: 'invalid_response', status: null }],
  ['an error', { kind: 'endless', what: 'error', status: 403 }, { kind: 'account', status: 403 }],
])('a reply that never ends is ended, and says so: %s', async ([, behaviour, error], { stack }) => {
  const provider = startOpenAi(stack.config.image);
  await stack.images.set({ behaviours: [behaviour] });
  await expect(provider.edit(await request())).rejects.toMatchObject({
    ...error,
    message: expect.stringMatching(/the reply is longer than \d+ bytes$/),
  });
  await stack.images.waitFor({ active: 0 });
  await provider.close();
});

test.for([true, false])(
  'the last event is one without a blank line after it (%s)',
  async (lineEnds, { stack }) => {
    const provider = startOpenAi(stack.config.image);
    await stack.images.set({ behaviours: [{ kind: 'no-blank-line', lineEnds }] });
    const { image } = await provider.edit(await request());
    expect(image.subarray(1, 4).toString()).toBe('PNG');
    await provider.close();
  },
);

test('a call names its seller only by a hash, and keeps the details of photos with each model', async ({
  stack,
}) => {
  for (const model of ['gpt-image-1.5', 'gpt-image-1-mini', 'gpt-image-2', stack.config.image.model]) {
    const provider = startOpenAi({ ...stack.config.image, model });
    await provider.edit(await request());
    await provider.close();
  }
  const { calls } = await stack.images.state();
  expect(calls.map(({ inputFidelity }) => inputFidelity)).toEqual(['high', undefined, undefined, undefined]);
  expect(new Set(calls.map(({ safetyIdentifier }) => safetyIdentifier)).size).toBe(1);
  expect(calls[0]!.safetyIdentifier).toMatch(/^[0-9a-f]{64}$/);
});

test('calls to a server that refuses to be told the seller say nothing of it', async ({ stack }) => {
  const provider = startOpenAi({ ...stack.config.image, identifiesSellers: false });
  await provider.edit(await request());
  await provider.close();
  expect((await stack.images.state()).calls.at(-1)!.safetyIdentifier).toBeUndefined();
});

/** A server that answers everything with this status and body. */
async function serverThat(answers: (path: string) => [status: number, body: string] | 'nothing') {
  const server = createServer((asked, response) => {
    const answer = answers(asked.url ?? '');
    if (answer !== 'nothing') response.writeHead(answer[0]).end(answer[1]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const errorBody = (code: string | null) => JSON.stringify({ error: { code, message: 'said so' } });

test('a model that does not exist is named, with the image models that do', async ({ stack }) => {
  const { image } = stack.config;
  expect(await startOpenAi(image).modelProblem()).toBeNull();
  const problem = await startOpenAi({ ...image, model: 'gpt-image-1' }).modelProblem();
  expect(problem).toMatch(/no model gpt-image-1 for our account \(404 model_not_found: .*\)/);
  expect(problem).toMatch(/image models that exist: chatgpt-image-latest, gpt-image-1-mini, .*gpt-image-2/);
});

test.for<[name: string, status: number, body: string, problem: RegExp | null]>([
  ['a server without the route', 404, 'Not Found', null],
  ['a server with other errors', 404, errorBody('unknown_url'), null],
  ['a server error', 500, errorBody('server_error'), null],
  ['a rate limit', 429, errorBody('rate_limit_exceeded'), null],
  [
    'a model that the account may not use',
    403,
    errorBody('model_not_found'),
    /no model .*403 model_not_found: said so\)$/,
  ],
  ['a wrong key', 401, errorBody('invalid_api_key'), /refuses our account \(401 invalid_api_key: said so\)/],
  ['a reply that is no JSON', 200, '<html>', null],
])('the question for the model, to %s', async ([, status, body, problem], { stack }) => {
  const server = await serverThat(() => [status, body]);
  const found = await startOpenAi({ ...stack.config.image, baseUrl: server.baseUrl }).modelProblem();
  if (problem === null) expect(found).toBeNull();
  else expect(found).toMatch(problem);
  server.close();
});

test('a worker with a model that does not exist starts, and operators see it until one with a right model starts', async ({
  stack,
}) => {
  const problem = async () => (await readProviderFlow(stack.db)).modelProblem;
  const wrong = await stack.startWorker({ IMAGE_MODEL: 'gpt-image-1' });
  await expect.poll(problem, eventually).toMatch(/gpt-image-1 .*gpt-image-2/);
  await wrong.close();
  const right = await stack.startWorker();
  await expect.poll(problem, eventually).toBeNull();
  await right.close();
});

test('a worker starts while the provider does not answer the question for its model, and closes', async ({
  stack,
}) => {
  const asked = Promise.withResolvers<void>();
  const silent = await serverThat((path) => {
    if (path.startsWith('/v1/models/')) asked.resolve();
    return 'nothing';
  });
  const worker = await stack.startWorker({ OPENAI_BASE_URL: silent.baseUrl });
  await asked.promise;
  await vi.waitFor(() => expect(worker.jobs.isRunning()).toBe(true), eventually);
  await worker.close();
  silent.close();
});
