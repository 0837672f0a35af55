/** While MongoDB is unreachable, every request is answered with 503 UNAVAILABLE, and afterwards requests succeed again; `/readyz` says which store cannot be reached. */
import { expect } from 'vitest';
import { type ErrorReply, errorDefinitions, paths } from '#contract';
import { call } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { type Answer, openWindow, type Seller } from '#tests/support/seller.ts';
import { testWithStoreProxies } from '#tests/support/test.ts';

const test = testWithStoreProxies({ workers: 0 })
  .extend('url', { scope: 'file' }, async ({ stack, mongo, queue }) => {
    return (await stack.startServer({ MONGODB_URL: mongo.url, QUEUE_URL: queue.url })).url;
  })
  .extend('seller', { scope: 'file' }, ({ stack, url }) => stack.seller({ url }));

const requestsOf = (seller: Seller): (() => Promise<Answer<unknown>>)[] => [
  () => seller.request(paths.me),
  () => seller.request(paths.generations),
  () => seller.request(paths.creditEntries),
  () => seller.send(),
  () => call(seller, 'POST', paths.session, { email: seller.email, password: seller.password }),
];

/** Sends a request again and again until `stopped` returns true. */
async function keepSending(
  send: () => Promise<Answer<unknown>>,
  answers: Answer<unknown>[],
  stopped: () => boolean,
) {
  while (!stopped()) answers.push(await send());
}

test('requests are answered with 503 while MongoDB is unreachable, and succeed afterwards', async ({
  mongo,
  seller,
}) => {
  const answers: Answer<unknown>[] = [];
  const refused = () => answers.filter(({ status }) => status >= 500);
  let stopped = false;
  const clients = Array.from({ length: 8 }, () =>
    requestsOf(seller).map((send) => keepSending(send, answers, () => stopped)),
  ).flat();
  try {
    await expect.poll(() => answers.length, eventually).toBeGreaterThan(80);
    expect(refused()).toEqual([]);
    mongo.cut();
    await expect.poll(() => refused().length, { timeout: limitMs(40_000) }).toBeGreaterThan(clients.length);
  } finally {
    stopped = true;
    await Promise.all(clients);
    mongo.restore();
  }
  const codes = Object.groupBy(
    answers,
    ({ status, body }) => `${status} ${(body as ErrorReply).error?.code ?? ''}`,
  );
  console.log(
    Object.entries(codes)
      .map(([code, some]) => `${some!.length} × ${code}`)
      .join(', '),
  );
  for (const answer of refused()) {
    expectError(answer, 'UNAVAILABLE');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }

  await expect.poll(async () => (await seller.request(paths.me)).status, eventually).toBe(200);
});

test('a socket that connects while MongoDB is unreachable gets the same error, not one of the driver', async ({
  stack,
  mongo,
  url,
}) => {
  // On another server, which has not cached the session.
  const { token } = await stack.seller();
  mongo.cut();
  try {
    await expect(openWindow(url, token)).rejects.toMatchObject({
      message: 'UNAVAILABLE',
      data: { code: 'UNAVAILABLE', message: errorDefinitions.UNAVAILABLE[1] },
    });
  } finally {
    mongo.restore();
  }
});

// `/readyz` while a store cannot be reached.

async function readiness(url: string) {
  const answer = await fetch(`${url}/readyz`);
  return { httpStatus: answer.status, ...((await answer.json()) as object) };
}

test('without the queue the server is ready and accepts submissions', async ({ queue, url, seller }) => {
  await expect
    .poll(() => readiness(url), eventually)
    .toMatchObject({ httpStatus: 200, status: 'ok', queue: 'ok' });
  queue.cut();
  try {
    await expect
      .poll(() => readiness(url), eventually)
      .toMatchObject({ httpStatus: 200, status: 'degraded', database: 'ok', queue: 'failed' });
    const { id } = await seller.submit();
    expect((await seller.generation(id)).state).toBe('queued');
  } finally {
    queue.restore();
  }
  await expect
    .poll(() => readiness(url), eventually)
    .toMatchObject({ httpStatus: 200, status: 'ok', queue: 'ok' });
});

test('without MongoDB the server is not ready', async ({ mongo, url }) => {
  mongo.cut();
  try {
    await expect
      .poll(() => readiness(url), eventually)
      .toMatchObject({ httpStatus: 503, status: 'failed', database: 'failed', queue: 'ok' });
  } finally {
    mongo.restore();
  }
  await expect.poll(() => readiness(url), eventually).toMatchObject({ httpStatus: 200, status: 'ok' });
});
