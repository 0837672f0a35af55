/** The contact and careers pages in a browser: what is entered reaches us, and stays while it cannot be sent. */
import { expect } from 'vitest';
import { pages } from '#contract';
import { startSession } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { pdf } from '#tests/support/cv-files.ts';
import { holdReading } from '#tests/support/hold-reading.ts';
import { newAddress } from '#tests/support/visitor.ts';

const test = testWithStackAndBrowser();

const ours = 'contact@packshot.example';

test('a message with mistakes, then without a network, is kept and sent at last', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await page.goto(`${stack.url}/contact`);
  const send = page.getByRole('button', { name: 'Send Message' });
  await send.click();
  for (const text of [
    'Please enter your name',
    'Please enter a valid email address',
    'Please choose a subject',
    'Please enter a message',
  ]) {
    await page.getByText(text).waitFor();
  }
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name');
  expect(await layoutProblems(page, 'contact with errors', 'main')).toEqual([]);
  const email = newAddress();
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Subject').selectOption('Feature Request');
  await page.getByLabel('Message').fill('A scene with snow');
  expect(problems.splice(0)).toEqual([]);

  await page.context().setOffline(true);
  await send.click();
  await page.getByText("We couldn't reach Packshot.").waitFor();
  // The browser reports the failed request itself.
  problems.splice(0);
  await page.context().setOffline(false);
  expect(await page.getByLabel('Message').inputValue()).toBe('A scene with snow');
  await send.click();
  await page.getByRole('heading', { name: 'Message Sent!' }).waitFor();
  const mail = await stack.mails.waitForMail({ to: ours, subject: 'Feature Request from Ada Lovelace' });
  expect(mail.headers['reply-to']).toEqual([email]);
  await stack.mails.waitForMail({ to: email, subject: 'We received your message' });
  expect(await layoutProblems(page, 'message sent', 'main')).toEqual([]);

  await page.getByRole('button', { name: 'Send Another Message' }).click();
  for (const label of ['Name', 'Email', 'Subject', 'Message']) {
    expect(await page.getByLabel(label).inputValue()).toBe('');
  }
  expect(problems).toEqual([]);
});

test("a seller's name and address are entered, and a link selects the subject", async ({
  stack,
  openWindow,
}) => {
  const { email } = await stack.seller();
  const { page, problems } = await openWindow();
  await startSession(stack, page, email);
  // The browser remembers that somebody is signed in.
  await page.goto(`${stack.url}${pages.dashboard}`);
  await page.getByRole('button', { name: 'Generate Image' }).waitFor();
  await page.goto(`${stack.url}/contact?subject=billing`);
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(email);
  expect(await page.getByLabel('Name').inputValue()).toBe('Test Seller');
  expect(await page.getByLabel('Subject').inputValue()).toBe('billing');
  await page.goto(`${stack.url}/contact?subject=toString`);
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(email);
  expect(await page.getByLabel('Subject').inputValue()).toBe('');
  expect(problems).toEqual([]);
});

test('an application from the linked position reaches us with its CV, after a file that is none was refused', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await page.goto(`${stack.url}/careers#product-designer`);
  await page.locator('#product-designer[open]').waitFor();
  expect(await page.locator('main details').count()).toBe(5);
  await expect.poll(() => page.locator('main details[open]').count()).toBe(1);
  await page.getByRole('button', { name: 'Apply as Product Designer' }).click();
  const email = newAddress();
  // The form's first field has the focus.
  await page.keyboard.type('Grace Hopper');
  await page.getByLabel('Email').fill(email);
  const send = page.getByRole('button', { name: 'Send Application' });
  await send.click();
  await page.getByText('Please attach your CV').waitFor();
  expect(await layoutProblems(page, 'application with errors', 'main')).toEqual([]);
  expect(problems.splice(0)).toEqual([]);

  const chooser = page.locator('input[type=file]');
  await chooser.setInputFiles({ name: 'cv.exe', mimeType: 'application/pdf', buffer: pdf() });
  await page.getByText('Please upload your CV as PDF, DOCX, ODT or DOC.').waitFor();
  await page.getByRole('button', { name: 'Remove cv.exe' }).click();
  await page.getByText('Please attach your CV').waitFor();
  // The server looks at the content.
  await chooser.setInputFiles({ name: 'cv.pdf', mimeType: 'application/pdf', buffer: Buffer.from('MZ') });
  await send.click();
  await page.getByText('Please upload your CV as PDF, DOCX, ODT or DOC.').waitFor();
  // The browser reports the refusal itself.
  problems.splice(0);

  const cv = pdf(40_000);
  await chooser.setInputFiles({ name: 'My CV.pdf', mimeType: 'application/pdf', buffer: cv });
  await page.getByText('39 kB').waitFor();
  await send.click();
  await page.getByRole('heading', { name: 'Application sent' }).waitFor();
  const mail = await stack.mails.waitForMail({ to: ours, subject: 'Product Designer, Grace Hopper' });
  expect(mail.headers['reply-to']).toEqual([email]);
  const [file] = await stack.mails.attachments(mail);
  expect(file!.content.equals(cv)).toBe(true);
  await stack.mails.waitForMail({ to: email, subject: 'We received your application' });
  expect(problems).toEqual([]);
});

test('of two CVs that are chosen one after the other, the last one is sent, also if it is read first', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  const release = await holdReading(page, 'first.pdf');
  await page.goto(`${stack.url}/careers#product-designer`);
  await page.getByRole('button', { name: 'Apply as Product Designer' }).click();
  await page.getByLabel('Name').fill('Grace Hopper');
  await page.getByLabel('Email').fill(newAddress());
  const chooser = page.locator('input[type=file]');
  await chooser.setInputFiles({ name: 'first.pdf', mimeType: 'application/pdf', buffer: pdf() });
  const second = pdf(40_000);
  await chooser.setInputFiles({ name: 'second.pdf', mimeType: 'application/pdf', buffer: second });
  await page.getByText('39 kB').waitFor();
  await release();
  await page.getByRole('button', { name: 'Send Application' }).click();
  await page.getByRole('heading', { name: 'Application sent' }).waitFor();
  const mail = await stack.mails.waitForMail({
    to: ours,
    subject: 'Product Designer, Grace Hopper',
  });
  const [file] = await stack.mails.attachments(mail);
  expect(file!.content.equals(second)).toBe(true);
  expect(problems).toEqual([]);
});
