/** Shared by the tests of upload-bounds: forms that never end. */
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { requestHead, sendEndlessly } from '#tests/support/connections.ts';
import { expectNothingLeft } from '#tests/support/errors.ts';
import { limitMs } from '#tests/support/machine.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';

export const megabyte = 1024 * 1024;

export const upload = (seller: Seller) =>
  requestHead('POST', paths.generations, {
    authorization: `Bearer ${seller.token}`,
    'content-type': 'multipart/form-data; boundary=b',
    'transfer-encoding': 'chunked',
  });
export const block = Buffer.alloc(64 * 1024, 'x');
export const disposition = (more = 'name="prompt"') => `--b\r\ncontent-disposition: form-data; ${more}\r\n`;
export const wholeForm =
  `${disposition()}\r\nOn a table\r\n${disposition('name="images"; filename="a.png"')}\r\n` +
  `x\r\n--b--\r\n`;

/** A chunk of HTTP's chunked encoding. An empty one would end the body, so there is none. */
export const chunk = (text: string) =>
  text === '' ? '' : `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** A part of a form that never ends: what it is, its beginning, and what follows again and again, if not one letter. */
export type Endless = [what: string, beginning: string, block?: Buffer];

/** Expects that an endless form is refused after about a megabyte. */
export async function expectRefused(
  stack: TestStack,
  seller: Seller,
  [, beginning, more = block]: Endless,
): Promise<void> {
  const { received, sentBeforeReply } = await sendEndlessly(stack.url, upload(seller) + chunk(beginning), {
    block: more,
    maxBytes: 64 * megabyte,
    timeoutMs: limitMs(20_000),
  });
  expect(received).toMatch(/^HTTP\/1\.1 413 /);
  expect(received).toMatch(/"code":"(BODY_TOO_LARGE|TOO_MANY_FIELDS)"/);
  // The kernels of both sides buffer some megabytes.
  expect(sentBeforeReply! / megabyte).toBeLessThan(limits.formBytes / megabyte + 12);
  await expectNothingLeft(stack, seller.id);
}
