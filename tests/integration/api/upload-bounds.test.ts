/** Every part of a form is limited in size: endless ones are refused after about a megabyte. */
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { requestHead, sendEndlessly, sendSlowly } from '#scripts/attack/connections.ts';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { multipart } from '#tests/support/multipart.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import type { Seller } from '#tests/support/seller.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

const megabyte = 1024 * 1024;

const test = testWithSharedSeller({ workers: 0 });

const upload = (seller: Seller) =>
  requestHead('POST', paths.generations, {
    authorization: `Bearer ${seller.token}`,
    'content-type': 'multipart/form-data; boundary=b',
    'transfer-encoding': 'chunked',
  });
const block = Buffer.alloc(64 * 1024, 'x');
const disposition = (more = 'name="prompt"') => `--b\r\ncontent-disposition: form-data; ${more}\r\n`;
const wholeForm =
  `${disposition()}\r\nOn a table\r\n${disposition('name="images"; filename="a.png"')}\r\n` +
  `x\r\n--b--\r\n`;

/** A chunk of HTTP's chunked encoding. An empty one would end the body, so there is none. */
const chunk = (text: string) => (text === '' ? '' : `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);

const endless: [what: string, beginning: string, block?: Buffer][] = [
  ['preamble', ''],
  ['header of a part', '--b\r\ncontent-disposition: form-data; name="'],
  ['row of headers of a part', '--b\r\n', Buffer.from('x-more: 1\r\n'.repeat(6_000))],
  ['text field', `${disposition()}\r\n`],
  ['unknown field', `${disposition('name="x"')}\r\n`],
  ['part without a disposition', '--b\r\ncontent-type: image/png\r\n\r\n'],
  ['row of parts without a disposition', '', Buffer.from('--b\r\nx: y\r\n\r\nz\r\n'.repeat(3_000))],
  ['epilogue', wholeForm],
  ['epilogue of an empty form', '--b--\r\n'],
];

test.for(endless)(
  'an endless %s is refused after about a megabyte',
  async ([, beginning, more = block], { stack, seller }) => {
    const { received, sentBeforeReply } = await sendEndlessly(stack.url, upload(seller) + chunk(beginning), {
      block: more,
      maxBytes: 64 * megabyte,
      timeoutMs: 20_000,
    });
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
    expect(received).toMatch(/"code":"(BODY_TOO_LARGE|TOO_MANY_FIELDS)"/);
    // The kernels of both sides buffer some megabytes.
    expect(sentBeforeReply! / megabyte).toBeLessThan(limits.formBytes / megabyte + 12);
    await expectNothingLeft(stack, seller.id);
  },
);

test('an endless photo is refused when it is too large', async ({ stack, seller }) => {
  const { received, sentBeforeReply } = await sendEndlessly(
    stack.url,
    upload(seller) + chunk(`${disposition('name="images"; filename="a.png"')}\r\n`),
    { block, maxBytes: 100 * megabyte, timeoutMs: 20_000 },
  );
  expect(received).toMatch(/^HTTP\/1\.1 413 .*"code":"FILE_TOO_LARGE"/s);
  expect(sentBeforeReply! / megabyte).toBeLessThan(limits.photoBytes / megabyte + 12);
  await expectNothingLeft(stack, seller.id);
});

test('a form whose Content-Length is too large is refused before it arrives', async ({ stack, seller }) => {
  const beginning = upload(seller).replace('transfer-encoding: chunked', `content-length: ${82 * megabyte}`);
  const { received } = await sendSlowly(stack.url, beginning, { intervalMs: 60_000, timeoutMs: 1_000 });
  expect(received).toMatch(/^HTTP\/1\.1 413 .*"Please upload at most 4 photos of at most 20 MB each\."/s);
});

test('a boundary that is too long for the parser is refused, one of 70 characters is accepted', async ({
  stack,
  seller,
}) => {
  const form = multipart([
    { name: 'prompt', value: 'On a table' },
    { name: 'images', fileName: 'a.png', value: await samplePhoto() },
  ]);
  const [, boundary] = form.headers['content-type'].split('=') as [string, string];
  const send = (other: string) =>
    seller.request(paths.generations, {
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${other}` },
      body: Buffer.from(form.body.toString('latin1').replaceAll(boundary, other), 'latin1'),
    });
  expectError(await send('b'.repeat(260)), 'BAD_REQUEST');
  expectError(await send('b'.repeat(10_000)), 'BAD_REQUEST');
  await expectNothingLeft(stack, seller.id);
  expect((await send('b'.repeat(70))).status).toBe(202);
});
