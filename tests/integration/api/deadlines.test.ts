/** Deadlines of requests: a client that sends single bytes slowly is answered with 408 and disconnected. */

import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { expect } from 'vitest';
import { errorDefinitions, paths } from '#contract';
import { requestHead, sendEndlessly, sendSlowly } from '#tests/support/connections.ts';
import { deadlinesHere } from '#tests/support/deadlines.ts';
import { expectNoStrayFile } from '#tests/support/errors.ts';
import { limitMs, machineFactor } from '#tests/support/machine.ts';
import { multipart } from '#tests/support/multipart.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import type { Seller } from '#tests/support/seller.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

/** A fiftieth of the product's deadlines on a fast machine. */
const deadlines = {
  ...deadlinesHere,
  headersMs: limitMs(600),
  headersCheckMs: 100,
  bodyMs: limitMs(1_200),
  bodyMostMs: limitMs(4_000),
  bodyBytesPerSecond: 10_000 / machineFactor(),
  afterAnswerMs: limitMs(600),
  afterAnswerBytesPerSecond: 10_000 / machineFactor(),
};
/** Much longer than every deadline above. */
const watch = { intervalMs: limitMs(50), timeoutMs: limitMs(30_000) };
/** For requests that are answered without a deadline. */
const answered = { intervalMs: limitMs(60_000), timeoutMs: limitMs(1_000) };

const test = testWithSharedSeller({ workers: 0, server: { deadlines } }).extend(
  'unpaid',
  { scope: 'file' },
  ({ stack }) => stack.seller({ paid: false }),
);

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'multipart/form-data; boundary=b' };
const bearer = (one: Seller) => ({ authorization: `Bearer ${one.token}` });

/** Expects the answer 408 in the shape of all errors, and nothing after it. */
function expectTimeout(received: string): void {
  const [start, body] = received.split('\r\n\r\n') as [string, string];
  expect(start).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(start.toLowerCase()).toContain('connection: close');
  const [, message] = errorDefinitions.REQUEST_TIMEOUT;
  expect(JSON.parse(body)).toEqual({
    error: { code: 'REQUEST_TIMEOUT', message, requestId: expect.stringMatching(/^[0-9a-f]{32}$/) },
  });
}

const slowRequests: [what: string, beginning: (seller: Seller) => string][] = [
  [
    'a sign-in with a Content-Length',
    () => requestHead('POST', paths.session, { ...json, 'content-length': 500 }),
  ],
  [
    'a sign-in in chunks',
    () => `${requestHead('POST', paths.session, { ...json, 'transfer-encoding': 'chunked' })}1f4\r\n`,
  ],
  [
    'an upload',
    (seller) =>
      requestHead('POST', paths.generations, { ...form, ...bearer(seller), 'content-length': 5_000 }),
  ],
  [
    'an upload in the middle of a photo',
    (seller) =>
      `${requestHead('POST', paths.generations, { ...form, ...bearer(seller), 'content-length': 5_000 })}` +
      '--b\r\ncontent-disposition: form-data; name="images"; filename="a.png"\r\n\r\n',
  ],
  ['a Stripe event', () => requestHead('POST', paths.stripeWebhook, { ...json, 'content-length': 500 })],
];

test('bodies byte by byte: 408, and the connection is closed', async ({ stack, seller }) => {
  const slow = slowRequests.map(async ([what, beginning]) => ({
    what,
    ...(await sendSlowly(stack.url, beginning(seller), watch)),
  }));
  for (const { what, received, closedMs } of await Promise.all(slow)) {
    expect(closedMs, what).toBeGreaterThan(deadlines.bodyMs);
    expectTimeout(received);
  }
  await expectNoStrayFile(stack);
});

test('headers byte by byte, and a connection without a byte: 408, and the connection is closed', async ({
  stack,
}) => {
  const slow = await Promise.all([
    sendSlowly(stack.url, 'GET /api/me HTTP/1.1\r\nx-slow: ', watch),
    sendSlowly(stack.url, '', { ...watch, intervalMs: watch.timeoutMs }),
  ]);
  for (const { received, closedMs } of slow) {
    expectTimeout(received);
    expect(closedMs).toBeGreaterThan(deadlines.headersMs);
  }
});

const answeredEarly: [what: string, beginning: (unpaid: Seller) => string, status: number][] = [
  [
    'without a session',
    () => requestHead('POST', paths.generations, { ...form, 'content-length': 5_000 }),
    401,
  ],
  [
    'a seller without a plan',
    (unpaid) =>
      requestHead('POST', paths.generations, { ...form, ...bearer(unpaid), 'content-length': 5_000 }),
    402,
  ],
  [
    'without a session, to an unknown path',
    () => requestHead('PUT', '/api/nothing', { ...json, 'content-length': 500 }),
    404,
  ],
  [
    'without a session, to a malformed path',
    () => requestHead('POST', '/%zz', { ...json, 'content-length': 500 }),
    404,
  ],
  ['a GET with a body', () => requestHead('GET', '/healthz', { 'content-length': 500 }), 200],
  [
    'a socket that uses polling',
    () => requestHead('POST', `${paths.socket}/?EIO=4&transport=polling`, { 'content-length': 500 }),
    400,
  ],
];

test('a body that arrives slowly after its reply is cut off', async ({ stack, unpaid }) => {
  const cutOff = answeredEarly.map(async ([what, beginning, status]) => {
    const { received, closedMs } = await sendSlowly(stack.url, beginning(unpaid), watch);
    return {
      what,
      expected: status,
      answered: Number(received.split(' ')[1]),
      isClosed: closedMs !== undefined,
    };
  });
  for (const { what, expected, ...seen } of await Promise.all(cutOff)) {
    expect({ what, ...seen }).toEqual({ what, answered: expected, isClosed: true });
  }
});

test('a body that is drained after its answer is limited in bytes', async ({ stack, unpaid }) => {
  const beginning = requestHead('POST', paths.generations, {
    ...form,
    ...bearer(unpaid),
    'transfer-encoding': 'chunked',
  });
  const megabyte = 1024 * 1024;
  const connection = await sendEndlessly(stack.url, beginning, {
    block: Buffer.alloc(megabyte),
    maxBytes: 600 * megabyte,
    timeoutMs: limitMs(20_000),
  });
  expect(connection.received).toMatch(/^HTTP\/1\.1 402 /);
  expect(connection.closed).toBe(true);
  // 81 MB are drained, more arrive between two checks, and the kernels buffer some.
  expect(connection.sent / megabyte).toBeGreaterThan(80);
  expect(connection.sent / megabyte).toBeLessThan(300);
});

test('a slow upload gets time in proportion to what has arrived', async ({ stack, seller }) => {
  const { headers, body } = multipart([
    { name: 'images', fileName: 'a.png', value: Buffer.concat([await samplePhoto(), Buffer.alloc(25_000)]) },
    { name: 'prompt', value: 'On a table' },
  ]);
  const request = httpRequest(stack.url + paths.generations, {
    method: 'POST',
    headers: { ...headers, ...bearer(seller), 'content-length': body.length },
  });
  const answered = once(request, 'response');
  // A server that gives up cuts the connection; what the test expects is in its answer.
  request.on('error', () => undefined);
  // Twice as long as a small body may take; each kB that has arrived adds a tenth of a second. Measured from the beginning, so
  // that a busy machine's late timers do not add up.
  const pieces = 24;
  const begun = performance.now();
  for (let index = 0; index < pieces; index += 1) {
    request.write(body.subarray((body.length * index) / pieces, (body.length * (index + 1)) / pieces));
    const nextMs = (2 * deadlines.bodyMs * (index + 1)) / pieces - (performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, nextMs)));
  }
  request.end();
  const [response] = await answered;
  expect(response.statusCode).toBe(202);
  response.resume();
});

test('deadlines do not apply after a request has arrived: an idle connection, a socket', async ({
  stack,
}) => {
  const other = await stack.seller();
  const window = await other.openWindow();
  // Longer than those that a request of this size could meet.
  const past = deadlines.headersMs + deadlines.bodyMs;
  const keepAlive =
    requestHead('GET', '/healthz', {}) +
    requestHead('POST', paths.session, { ...json, 'content-length': 2 }).concat('{}');
  const idle = await sendSlowly(stack.url, keepAlive, { ...answered, timeoutMs: past });
  expect(idle.received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  expect(idle.closedMs).toBeUndefined();
  expect(window.socket.connected).toBe(true);
  window.close();
});

test('Expect: 100-continue is answered only if the request is accepted', async ({
  stack,
  seller,
  unpaid,
}) => {
  const expecting = (headers: Record<string, string | number>) =>
    sendSlowly(
      stack.url,
      requestHead('POST', paths.generations, { ...form, expect: '100-continue', ...headers }),
      answered,
    );
  const [anonymous, unpaidSeller, accepted] = await Promise.all([
    expecting({ 'content-length': 5_000 }),
    expecting({ ...bearer(unpaid), 'content-length': 5_000 }),
    expecting({ ...bearer(seller), 'content-length': 5_000 }),
  ]);
  expect(anonymous.received).toMatch(/^HTTP\/1\.1 401 /);
  expect(unpaidSeller.received).toMatch(/^HTTP\/1\.1 402 /);
  expect(accepted.received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
});
