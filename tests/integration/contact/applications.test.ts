/** Applications: the CV reaches us unchanged, whatever fails on the way; other files and forms are refused. */
import { request as httpRequest } from 'node:http';
import { expect } from 'vitest';
import { type ErrorCode, limits, paths } from '#contract';
import { requestHead, sendEndlessly, sendSlowly } from '#scripts/attack/connections.ts';
import { claimMail } from '#shared/data/mails.ts';
import { compoundFile, executable, odt, officeFile, pdf, zip } from '#tests/support/cv-files.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { multipart, type Part, type RawForm } from '#tests/support/multipart.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, newAddress } from '#tests/support/visitor.ts';

const test = testWithStack({ workers: 0 });
test.beforeEach(async ({ stack }) => {
  await stack.mails.behave({ behaviour: 'ok' });
  await stack.models.mails.deleteMany({});
});

const ours = 'contact@packshot.example';
const megabyte = 1024 * 1024;

const cvPart = (value: Buffer, more: Partial<Part> = {}): Part => ({
  name: 'cv',
  fileName: 'My CV.pdf',
  type: 'application/pdf',
  value,
  ...more,
});

/** The parts of an application. @param changed text fields that differ; undefined leaves one out */
function parts(cv: Part[], email = newAddress(), changed: Record<string, string | undefined> = {}): Part[] {
  const fields = { position: 'product-designer', name: 'Ada Lovelace', email, message: 'Hello', ...changed };
  const text = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  return [...text, ...cv];
}

const send = (stack: TestStack, form: RawForm) =>
  createVisitor(stack.url).request(paths.applications, { method: 'POST', ...form });

const outbox = (stack: TestStack) => stack.models.mails.find().lean();

/** Sends the outbox with one worker in this process. */
async function deliver(stack: TestStack): Promise<void> {
  const worker = await stack.startWorker();
  await expect.poll(() => stack.models.mails.countDocuments({ ended_at: null }), eventually).toBe(0);
  await worker.close();
}

/** The mails to us that answer to an address, with their attachments. */
async function applicationsFrom(stack: TestStack, email: string) {
  const mails = (await stack.mails.mails(ours)).filter(({ headers }) => headers['reply-to']?.[0] === email);
  return Promise.all(mails.map(async (mail) => ({ mail, files: await stack.mails.attachments(mail) })));
}

test('a CV in each format reaches us byte for byte, under a name of ours, and the applicant gets a confirmation', async ({
  stack,
}) => {
  const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  const formats = [
    [pdf(), 'pdf', 'application/pdf'],
    [pdf(limits.cvBytes), 'pdf', 'application/pdf'],
    [officeFile(), 'docx', docx],
    [odt(), 'odt', 'application/vnd.oasis.opendocument.text'],
    [compoundFile(), 'doc', 'application/msword'],
  ] as const;
  const emails = formats.map(() => newAddress());
  for (const [index, [cv]] of formats.entries()) {
    const form = multipart(
      parts([cvPart(cv, { fileName: '../../evil%0D%0A.exe', type: 'text/html' })], emails[index], {
        message: 'Hello\r\n<b>you</b>',
      }),
    );
    expect(await send(stack, form)).toMatchObject({ status: 202, body: {} });
  }
  await deliver(stack);
  for (const [index, [cv, ending, type]] of formats.entries()) {
    const [application, ...others] = await applicationsFrom(stack, emails[index]!);
    expect(others).toEqual([]);
    const { mail, files } = application!;
    expect(mail.subject).toBe('Application: Product Designer, Ada Lovelace');
    expect(mail.text).toContain('\n\n  Hello\n  <b>you</b>\n\n');
    expect(mail.html).toContain('&lt;b&gt;you&lt;/b&gt;');
    expect(files).toHaveLength(1);
    expect(files[0]!.fileName).toMatch(new RegExp(`^cv-product-designer-[0-9a-f]{8}\\.${ending}$`));
    expect(files[0]!.mediaType).toBe(type);
    expect(files[0]!.content.equals(cv)).toBe(true);
  }
  // The CVs are not kept.
  for (const row of await outbox(stack))
    expect(row).toMatchObject({ text: null, html: null, attachment: null });

  const [confirmation, ...others] = await stack.mails.mails(emails[0]);
  expect(others).toEqual([]);
  expect(confirmation!.subject).toBe('We received your application');
  expect(confirmation!.headers['reply-to']).toEqual(['support@packshot.example']);
  expect(confirmation!.text).toContain('Position: Product Designer');
  // Nothing that was entered.
  expect(`${confirmation!.text}${confirmation!.html}`).not.toContain('Ada');
  expect(await stack.mails.attachments(confirmation!)).toEqual([]);
});

const cv = pdf();
const withCv = (changed: Record<string, string | undefined>) =>
  multipart(parts([cvPart(cv)], undefined, changed));
const wrongType = { field: 'cv', message: 'Please upload your CV as PDF, DOCX, ODT or DOC.' };
const tooLarge = { field: 'cv', message: 'Your CV is larger than 5 MB. Please upload a smaller file.' };

const refused: [
  what: string,
  form: RawForm,
  code: ErrorCode,
  expected?: { field?: string; message?: string },
][] = [
  ['an .exe named .pdf', multipart(parts([cvPart(executable())])), 'TYPE_UNSUPPORTED', wrongType],
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
  [
    'a DOCX with macros',
    multipart(parts([cvPart(officeFile('application/vnd.ms-word.document.macroEnabled.main+xml'))])),
    'TYPE_UNSUPPORTED',
    wrongType,
  ],
  ['a ZIP', multipart(parts([cvPart(zip())])), 'TYPE_UNSUPPORTED', wrongType],
  ['a ZIP cut off', multipart(parts([cvPart(officeFile().subarray(0, 60))])), 'TYPE_UNSUPPORTED', wrongType],
  [
    'an empty file',
    multipart(parts([cvPart(Buffer.alloc(0))])),
    'FILE_EMPTY',
    { field: 'cv', message: 'The file with your CV is empty. Please choose another one.' },
  ],
  ['no CV', multipart(parts([])), 'VALIDATION', { field: 'cv', message: 'Please attach your CV' }],
  [
    'the CV as text',
    multipart(parts([{ name: 'cv', value: '%PDF-1.7' }])),
    'VALIDATION',
    { field: 'cv', message: 'The field "cv" is not known.' },
  ],
  [
    'two CVs',
    multipart(parts([cvPart(cv), cvPart(cv)])),
    'TOO_MANY_FILES',
    { field: 'cv', message: 'Please upload one file with your CV.' },
  ],
  [
    'a file under another name',
    multipart(parts([cvPart(cv, { name: 'photo' })])),
    'VALIDATION',
    { field: 'photo', message: 'The field "photo" is not known.' },
  ],
  ['one byte too many', multipart(parts([cvPart(pdf(limits.cvBytes + 1))])), 'FILE_TOO_LARGE', tooLarge],
  ['a body that is cut off', cutOff(multipart(parts([cvPart(cv)])), 300), 'UPLOAD_ABORTED'],
  ['a body without its last boundary', multipart(parts([cvPart(cv)]), false), 'UPLOAD_ABORTED'],
  [
    'no position',
    withCv({ position: undefined }),
    'VALIDATION',
    { field: 'position', message: 'Please choose a position' },
  ],
  [
    'an unknown position',
    withCv({ position: '../../etc' }),
    'VALIDATION',
    { field: 'position', message: 'Please choose a position' },
  ],
  [
    'a name with a header',
    withCv({ name: 'Ada\r\nBcc: all@example.com' }),
    'VALIDATION',
    { field: 'name', message: 'Please enter your name without line breaks' },
  ],
  [
    'a message of 10,000 characters',
    withCv({ message: 'x'.repeat(10_000) }),
    'VALIDATION',
    { field: 'message', message: 'Please keep your message under 5,000 characters' },
  ],
  [
    'an unknown field',
    withCv({ bcc: 'all@example.com' }),
    'VALIDATION',
    { field: 'bcc', message: 'The field "bcc" is not known.' },
  ],
];

function cutOff(form: RawForm, bytes: number): RawForm {
  return { ...form, body: form.body.subarray(0, form.body.length - bytes) };
}

test.for(refused)('%s is refused and nothing is sent', async ([, form, code, expected], { stack }) => {
  expectError(await send(stack, form), code, expected);
  expect(await outbox(stack)).toEqual([]);
});

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

test('an application whose hidden field is filled in is answered as usual and not sent', async ({
  stack,
}) => {
  expect(await send(stack, withCv({ website: 'https://buy.example' }))).toMatchObject({
    status: 202,
    body: {},
  });
  expect(await outbox(stack)).toEqual([]);
});

test('the same application ten times at once is sent once, one with another CV as well', async ({
  stack,
}) => {
  const email = newAddress();
  const form = multipart(parts([cvPart(cv)], email));
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(stack, form)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
  expect((await send(stack, multipart(parts([cvPart(odt())], email)))).status).toBe(202);
  await deliver(stack);
  expect(await applicationsFrom(stack, email)).toHaveLength(2);
});

test('a CV that a worker was sending when it died is sent by another one, unchanged', async ({ stack }) => {
  const email = newAddress();
  const large = pdf(300_000);
  await send(stack, multipart(parts([cvPart(large)], email)));
  // As workers leave the mails that die while they send them.
  for (const _ of await outbox(stack)) await claimMail(stack.db, 60_000);
  expect(await stack.models.mails.countDocuments({ attempts: 1 })).toBe(2);
  await stack.models.mails.updateMany({}, { due_at: new Date() });
  await deliver(stack);
  const [application, ...others] = await applicationsFrom(stack, email);
  expect(others).toEqual([]);
  expect(application!.files[0]!.content.equals(large)).toBe(true);
  const row = await stack.models.mails.findOne({ kind: 'application' }).lean();
  expect(row).toMatchObject({ attempts: 2, attachment: null, failure: null });
});

test('the CV of a mail that is given up is kept for a week, so that operators can send it again', async ({
  stack,
}) => {
  await send(stack, withCv({}));
  await stack.mails.behave({ behaviour: 'refuse' });
  await deliver(stack);
  const row = await stack.models.mails.findOne({ kind: 'application' }).lean();
  expect(row).toMatchObject({ attachment: expect.anything(), failure: expect.stringContaining('550') });
  expect(row!.remove_at!.getTime() - row!.ended_at!.getTime()).toBe(7 * 86_400_000);
});
