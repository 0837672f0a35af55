/** Applications: the CV reaches us unchanged, whatever fails on the way; other files and forms are refused. */
import { expect } from 'vitest';
import { limits } from '#contract';
import { claimMail } from '#shared/data/mails.ts';
import { compoundFile, executable, odt, officeFile, pdf } from '#tests/support/cv-files.ts';
import { eventually } from '#tests/support/harness.ts';
import { multipart, type RawForm } from '#tests/support/multipart.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { newAddress } from '#tests/support/visitor.ts';
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

const ours = 'contact@packshot.example';

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

const tooLarge = { field: 'cv', message: 'Your CV is larger than 5 MB. Please upload a smaller file.' };

function cutOff(form: RawForm, bytes: number): RawForm {
  return { ...form, body: form.body.subarray(0, form.body.length - bytes) };
}

testRefused([
  ['an .exe named .pdf', multipart(parts([cvPart(executable())])), 'TYPE_UNSUPPORTED', wrongType],
  [
    'a DOCX with macros',
    multipart(parts([cvPart(officeFile('application/vnd.ms-word.document.macroEnabled.main+xml'))])),
    'TYPE_UNSUPPORTED',
    wrongType,
  ],
  [
    'an empty file',
    multipart(parts([cvPart(Buffer.alloc(0))])),
    'FILE_EMPTY',
    { field: 'cv', message: 'The file with your CV is empty. Please choose another one.' },
  ],
  ['no CV', multipart(parts([])), 'VALIDATION', { field: 'cv', message: 'Please attach your CV' }],
  [
    'two CVs',
    multipart(parts([cvPart(cv), cvPart(cv)])),
    'TOO_MANY_FILES',
    { field: 'cv', message: 'Please upload one file with your CV.' },
  ],
  ['one byte too many', multipart(parts([cvPart(pdf(limits.cvBytes + 1))])), 'FILE_TOO_LARGE', tooLarge],
  ['a body that is cut off', cutOff(multipart(parts([cvPart(cv)])), 300), 'UPLOAD_ABORTED'],
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
    'an unknown field',
    withCv({ bcc: 'all@example.com' }),
    'VALIDATION',
    { field: 'bcc', message: 'The field "bcc" is not known.' },
  ],
]);

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
