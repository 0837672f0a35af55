/** More applications that are refused, and applicants who disconnect. */
import { request as httpRequest } from 'node:http';
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { requestHead, sendEndlessly, sendSlowly } from '#tests/support/connections.ts';
import { compoundFile, officeFile, pdf, zip } from '#tests/support/cv-files.ts';
import { limitMs } from '#tests/support/machine.ts';
import { multipart } from '#tests/support/multipart.ts';
import {
  cv,
  cvPart,
  outbox,
  parts,
  send,
  test,
  testRefused,
  withCv,
  wrongType,
} from './applications-steps.ts';

const megabyte = 1024 * 1024;

testRefused([
  [
    'HTML named .pdf',
    multipart(parts([cvPart(Buffer.from('<!doctype html><script>alert(1)</script>'))])),
    'TYPE_UNSUPPORTED',
    wrongType,
  ],
  [
    'an installer, which is a compound file like DOC',
    multipart(parts([cvPart(compoundFile('\u4840\u3f3f\u4577'))])),
    'TYPE_UNSUPPORTED',
    wrongType,
  ],
  ['a ZIP', multipart(parts([cvPart(zip())])), 'TYPE_UNSUPPORTED', wrongType],
  ['a ZIP cut off', multipart(parts([cvPart(officeFile().subarray(0, 60))])), 'TYPE_UNSUPPORTED', wrongType],
  [
    'the CV as text',
    multipart(parts([{ name: 'cv', value: '%PDF-1.7' }])),
    'VALIDATION',
    { field: 'cv', message: 'The field "cv" is not known.' },
  ],
  [
    'a file under another name',
    multipart(parts([cvPart(cv, { name: 'photo' })])),
    'VALIDATION',
    { field: 'photo', message: 'The field "photo" is not known.' },
  ],
  ['a body without its last boundary', multipart(parts([cvPart(cv)]), false), 'UPLOAD_ABORTED'],
  [
    'no position',
    withCv({ position: undefined }),
    'VALIDATION',
    { field: 'position', message: 'Please choose a position' },
  ],
  [
    'a message of 10,000 characters',
    withCv({ message: 'x'.repeat(10_000) }),
    'VALIDATION',
    { field: 'message', message: 'Please keep your message under 5,000 characters' },
  ],
]);

const head = (more: Record<string, string | number>) =>
  requestHead('POST', paths.applications, { 'content-type': 'multipart/form-data; boundary=b', ...more });

test('a CV of 50 MB is refused before it arrives', async ({ stack }) => {
  const { received } = await sendSlowly(stack.url, head({ 'content-length': 50 * megabyte }), {
    intervalMs: limitMs(60_000),
    timeoutMs: limitMs(1_000),
  });
  expect(received).toMatch(/^HTTP\/1\.1 413 .*"code":"FILE_TOO_LARGE"/s);
});

test('an endless CV is refused when it is too large', async ({ stack }) => {
  const beginning = '--b\r\ncontent-disposition: form-data; name="cv"; filename="a.pdf"\r\n\r\n%PDF-1.7\n';
  const chunk = `${beginning.length.toString(16)}\r\n${beginning}\r\n`;
  const { received, sentBeforeReply } = await sendEndlessly(
    stack.url,
    head({ 'transfer-encoding': 'chunked' }) + chunk,
    { block: Buffer.alloc(64 * 1024, 'x'), maxBytes: 50 * megabyte, timeoutMs: limitMs(20_000) },
  );
  expect(received).toMatch(/^HTTP\/1\.1 413 .*"code":"FILE_TOO_LARGE"/s);
  // The kernels of both sides buffer some megabytes.
  expect(sentBeforeReply! / megabyte).toBeLessThan(limits.cvBytes / megabyte + 12);
  expect(await outbox(stack)).toEqual([]);
});

test('applicants who disconnect free their slots', async ({ stack }) => {
  const { headers, body } = multipart(parts([cvPart(pdf(megabyte))]));
  for (let count = 0; count < limits.applicationsOfNetwork + 2; count += 1) {
    const request = httpRequest(stack.url + paths.applications, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-length': body.length },
    });
    request.on('error', () => {});
    await new Promise<void>((resolve) => request.write(body.subarray(0, body.length / 2), () => resolve()));
    request.destroy();
  }
  expect((await send(stack, multipart(parts([cvPart(cv)])))).status).toBe(202);
  expect(await outbox(stack)).toHaveLength(2);
});
