/** Every part of a form is limited in size: endless ones are refused after about a megabyte. */
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { sendEndlessly, sendSlowly } from '#tests/support/connections.ts';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { limitMs } from '#tests/support/machine.ts';
import { multipart } from '#tests/support/multipart.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';
import {
  block,
  chunk,
  disposition,
  type Endless,
  expectRefused,
  megabyte,
  upload,
  wholeForm,
} from './upload-bounds-steps.ts';

const test = testWithSharedSeller({ workers: 0 });

const endless: Endless[] = [
  ['header of a part', '--b\r\ncontent-disposition: form-data; name="'],
  ['text field', `${disposition()}\r\n`],
  ['epilogue', wholeForm],
];

test.for(endless)('an endless %s is refused after about a megabyte', async (form, { stack, seller }) => {
  await expectRefused(stack, seller, form);
});

test('an endless photo is refused when it is too large', async ({ stack, seller }) => {
  const { received, sentBeforeReply } = await sendEndlessly(
    stack.url,
    upload(seller) + chunk(`${disposition('name="images"; filename="a.png"')}\r\n`),
    { block, maxBytes: 100 * megabyte, timeoutMs: limitMs(20_000) },
  );
  expect(received).toMatch(/^HTTP\/1\.1 413 .*"code":"FILE_TOO_LARGE"/s);
  // The bytes that a JPEG with a trailer may have are the bound on a busy machine; kernels buffer some megabytes.
  expect(sentBeforeReply! / megabyte).toBeLessThan(limits.photoFileBytes / megabyte + 12);
  await expectNothingLeft(stack, seller.id);
});

test('a form whose Content-Length is too large is refused before it arrives', async ({ stack, seller }) => {
  const beginning = upload(seller).replace('transfer-encoding: chunked', `content-length: ${82 * megabyte}`);
  const { received } = await sendSlowly(stack.url, beginning, {
    intervalMs: limitMs(60_000),
    timeoutMs: limitMs(1_000),
  });
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
