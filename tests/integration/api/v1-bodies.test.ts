/** Bodies of programs that are far too large, never end, or come byte by byte. */
import { expect } from 'vitest';
import { limits, v1McpPath, v1Paths } from '#contract';
import { giveKey } from '#tests/support/api-keys.ts';
import { requestHead, sendEndlessly, sendSlowly } from '#tests/support/connections.ts';
import { deadlinesHere } from '#tests/support/deadlines.ts';
import { expectNothingLeft } from '#tests/support/errors.ts';
import { limitMs } from '#tests/support/machine.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { block, chunk, disposition, megabyte } from './upload-bounds-steps.ts';

const deadlines = { ...deadlinesHere, bodyMs: limitMs(1_200) };
const test = testWithSeller({ workers: 0, server: { deadlines } }).extend('key', ({ stack, seller }) =>
  giveKey(stack, seller),
);

const json = 'application/json';
const form = 'multipart/form-data; boundary=b';
const bodies: [path: string, type: string][] = [
  [v1Paths.generations, json],
  [v1Paths.generations, form],
  [v1Paths.change('x'), json],
  [v1McpPath, json],
];

/** The head of a POST with a key. @param length how the body says how long it is */
const headOf = (key: string, path: string, type: string, length: Record<string, string | number>) =>
  requestHead('POST', path, { authorization: `Bearer ${key}`, 'content-type': type, ...length });

test.for(bodies)(
  'a body of 10 GB is refused before it arrives: %s, %s',
  async ([path, type], { stack, seller, key }) => {
    const head = headOf(key, path, type, { 'content-length': 10 * 1024 ** 3 });
    // Not one byte of the body within the time.
    const { received } = await sendSlowly(stack.url, head, {
      intervalMs: limitMs(60_000),
      timeoutMs: limitMs(1_000),
    });
    expect(received).toMatch(/^HTTP\/1\.1 413 .*"code":"(BODY_TOO_LARGE|FILE_TOO_LARGE)".*"docs":/s);
    await expectNothingLeft(stack, seller.id);
  },
);

test('a body that never ends is refused, as JSON after a few megabytes and as a photo when it is too large', async ({
  stack,
  seller,
  key,
}) => {
  const chunked = { 'transfer-encoding': 'chunked' };
  const photo = chunk(`${disposition('name="photos"; filename="a.png"')}\r\n`);
  for (const [beginning, most] of [
    [`${headOf(key, v1Paths.generations, json, chunked)}${chunk('{"prompt":"')}`, limits.jsonBytes],
    [`${headOf(key, v1McpPath, json, chunked)}${chunk('{"method":"')}`, limits.jsonBytes],
    [`${headOf(key, v1Paths.generations, form, chunked)}${photo}`, limits.photoFileBytes],
  ] as const) {
    const { received, sentBeforeReply } = await sendEndlessly(stack.url, beginning, {
      block,
      maxBytes: 100 * megabyte,
      timeoutMs: limitMs(20_000),
    });
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
    // The kernels of both sides buffer some megabytes.
    expect(sentBeforeReply! / megabyte).toBeLessThan(most / megabyte + 12);
  }
  await expectNothingLeft(stack, seller.id);
});

test('slow loris: bodies byte by byte end with 408, and the connection is closed', async ({
  stack,
  seller,
  key,
}) => {
  const slow = bodies.map(async ([path, type]) => ({
    path,
    ...(await sendSlowly(stack.url, headOf(key, path, type, { 'content-length': 500 }), {
      intervalMs: limitMs(50),
      timeoutMs: limitMs(30_000),
    })),
  }));
  for (const { path, received, closedMs } of await Promise.all(slow)) {
    expect([path, received]).toEqual([
      path,
      expect.stringMatching(/^HTTP\/1\.1 408 .*"code":"REQUEST_TIMEOUT"/s),
    ]);
    expect(closedMs).toBeGreaterThan(deadlines.bodyMs);
  }
  await expectNothingLeft(stack, seller.id);
});
