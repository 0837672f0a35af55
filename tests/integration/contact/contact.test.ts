/** The contact form: what reaches us and what reaches the sender, as mails; and what does not. */
import { expect } from 'vitest';
import { type Contact, contactSubjects, limits, paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { type Answer, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, newAddress } from '#tests/support/visitor.ts';

const test = testWithStack();

const contact = (changed: Record<string, unknown> = {}): Contact => ({
  name: 'Ada Lovelace',
  email: newAddress(),
  subject: 'support',
  message: 'The shadow of my lamp is on the wrong side.',
  ...changed,
});

const post = (
  stack: TestStack,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<unknown>> => createVisitor(stack.url).post(paths.contact, body, headers);

const ours = 'contact@packshot.example';

/** The mails to us that answer to an address. */
async function messagesFrom(stack: TestStack, email: string) {
  const mails = await stack.mails.mails(ours);
  return mails.filter(({ headers }) => headers['reply-to']?.[0] === email);
}

/** Waits until no mail is left to be sent. */
async function settled(stack: TestStack): Promise<void> {
  await expect.poll(() => stack.models.mails.countDocuments({ ended_at: null }), eventually).toBe(0);
}

test("a visitor's message reaches us with Reply-To, and a confirmation without its text reaches the visitor", async ({
  stack,
}) => {
  const body = contact({
    name: 'Ada & Söhne <GmbH>',
    message: 'Hello\r\n\r\n<script>alert(1)</script> <b>bold</b>\n-- \nPackshot',
  });
  expect(await post(stack, body)).toMatchObject({ status: 202, body: {} });
  const confirmation = await stack.mails.waitForMail({ to: body.email });
  await settled(stack);
  const [message, ...others] = await messagesFrom(stack, body.email);
  expect(others).toEqual([]);
  expect(message).toMatchObject({
    to: [ours],
    from: 'Packshot <no-reply@packshot.example>',
    subject: 'Technical Support from Ada & Söhne <GmbH>',
  });
  expect(message!.text).toContain(`From: Ada & Söhne <GmbH>\nEmail: ${body.email}\n`);
  expect(message!.text).toContain('Seller: not signed in');
  expect(message!.text).toContain(
    '\n\n  Hello\n\n  <script>alert(1)</script> <b>bold</b>\n  --\n  Packshot\n\n',
  );
  expect(message!.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &lt;b&gt;bold&lt;/b&gt;');
  expect(message!.html).not.toContain('<script');
  expect(message!.headers).not.toHaveProperty('importance');

  expect(confirmation).toMatchObject({ to: [body.email], subject: 'We received your message' });
  expect(confirmation.headers['reply-to']).toEqual(['support@packshot.example']);
  expect(confirmation.text).toContain('Subject: Technical Support');
  for (const text of [confirmation.text, confirmation.html, confirmation.subject]) {
    expect(text).not.toMatch(/Ada|Söhne|alert|bold/);
  }
  // Nothing of the message is kept.
  expect(await stack.models.mails.find({ to: { $in: [ours, body.email] } }).distinct('text')).toEqual([null]);
});

test.for([
  ['of a paid enterprise plan', { plan: 'enterprise' }, 'Enterprise', true],
  ['of an enterprise plan that is not paid', { plan: 'enterprise', paid: false }, 'none paid', false],
  ['of a paid freelance plan', { plan: 'freelance' }, 'Freelance', false],
] as const)(
  'a signed-in seller %s is named, and marked if that is dedicated support',
  async ([, details, plan, isMarked], { stack }) => {
    const seller = await stack.seller(details);
    const body = contact({ subject: 'billing' });
    const authorization = `Bearer ${seller.token}`;
    expect((await post(stack, body, { authorization })).status).toBe(202);
    await settled(stack);
    const [message] = await messagesFrom(stack, body.email);
    expect(message!.subject).toBe(`${isMarked ? '[Enterprise] ' : ''}Billing Question from Ada Lovelace`);
    expect(message!.headers.importance).toEqual(isMarked ? ['High'] : undefined);
    expect(message!.text).toContain(`Seller: ${seller.id}\nAccount: ${seller.email}\nPlan: ${plan}\n`);
  },
);

test('the session of a browser counts, one that has ended does not', async ({ stack }) => {
  const seller = await stack.seller({ plan: 'enterprise' });
  const browser = createVisitor(stack.url);
  await browser.post(paths.session, { email: seller.email, password: testPassword });
  const first = contact({ email: seller.email });
  expect((await browser.post(paths.contact, first)).status).toBe(202);
  await stack.models.sessions.deleteMany({ user_id: seller.id });
  await stack.restartServer();
  const second = contact();
  expect((await browser.post(paths.contact, second)).status).toBe(202);
  await settled(stack);
  expect((await messagesFrom(stack, first.email))[0]!.subject).toMatch(/^\[Enterprise\] /);
  expect((await messagesFrom(stack, second.email))[0]!.text).toContain('Seller: not signed in');
});

test('each subject is sent under its label', async ({ stack }) => {
  const messages = Object.entries(contactSubjects).map(([subject, label]) => {
    return { label, body: contact({ subject }) };
  });
  for (const { body } of messages) expect((await post(stack, body)).status).toBe(202);
  await settled(stack);
  for (const { label, body } of messages) {
    expect((await messagesFrom(stack, body.email))[0]!.subject).toBe(`${label} from Ada Lovelace`);
  }
});

type Invalid = [what: string, changed: Record<string, unknown>, field: string, message: string];
const invalid: Invalid[] = [
  ['no name', { name: undefined }, 'name', 'Please enter your name'],
  [
    'a name with a header',
    { name: 'Ada\r\nBcc: all@example.com' },
    'name',
    'Please enter your name without line breaks',
  ],
  ['two addresses', { email: 'a@example.com,b@example.com' }, 'email', 'Please enter a valid email address'],
  ['no subject', { subject: undefined }, 'subject', 'Please choose a subject'],
  ['an operator as subject', { subject: { $gt: '' } }, 'subject', 'Please choose a subject'],
  ['no message', { message: undefined }, 'message', 'Please enter a message'],
  [
    'a message of 5,001 characters',
    { message: 'x'.repeat(limits.messageCharacters + 1) },
    'message',
    'Please keep your message under 5,000 characters',
  ],
  ['an unknown field', { bcc: 'all@example.com' }, 'bcc', 'The field "bcc" is not known.'],
  ['a blank name', { name: ' \t ' }, 'name', 'Please enter your name'],
  ['a name with NUL', { name: 'Ada\0' }, 'name', 'Please enter your name without line breaks'],
  ['a name of 10 kB', { name: 'x'.repeat(10_000) }, 'name', 'Please enter a shorter name'],
  ['no address', { email: undefined }, 'email', 'Please enter a valid email address'],
  [
    'an address with a header',
    { email: 'ada@example.com\r\nBcc: all@example.com' },
    'email',
    'Please enter a valid email address',
  ],
  ['an address with a name', { email: 'Ada <a@example.com>' }, 'email', 'Please enter a valid email address'],
  ['a subject of 10 kB', { subject: 'x'.repeat(10_000) }, 'subject', 'Please choose a subject'],
  [
    'a subject with a header',
    { subject: 'support\r\nBcc: a@example.com' },
    'subject',
    'Please choose a subject',
  ],
  ['the name of a property as subject', { subject: 'toString' }, 'subject', 'Please choose a subject'],
  ['a blank message', { message: '\r\n \r\n' }, 'message', 'Please enter a message'],
  ['a message with NUL', { message: 'a\0b' }, 'message', 'Please enter plain text'],
];

test.for(invalid)('%s is refused and nothing is sent', async ([, changed, field, message], { stack }) => {
  const before = await stack.models.mails.countDocuments();
  expectError(await post(stack, contact(changed)), 'VALIDATION', { field, message });
  expect(await stack.models.mails.countDocuments()).toBe(before);
});

test('a message of exactly 5,000 characters of any script is sent whole', async ({ stack }) => {
  const line = '杯子 שלום emoji 👩‍👩‍👧 ';
  const message = line
    .repeat(400)
    .slice(0, limits.messageCharacters - 1)
    .trim();
  const body = contact({ message: message.padEnd(limits.messageCharacters, 'x') });
  expect((await post(stack, body)).status).toBe(202);
  await settled(stack);
  const [mail] = await messagesFrom(stack, body.email);
  // Right-to-left text is isolated from what is around it.
  expect(mail!.text.replace(/[\u2068\u2069]/g, '')).toContain(`\n\n  ${body.message}\n\n`);
});

test('a JSON body that is too large, no JSON, or from another site is refused', async ({ stack }) => {
  expectError(await post(stack, contact({ message: 'x'.repeat(100_000) })), 'BODY_TOO_LARGE');
  const text = await createVisitor(stack.url).request(paths.contact, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify(contact()),
  });
  expectError(text, 'MEDIA_TYPE_UNSUPPORTED');
  expectError(await post(stack, contact(), { 'sec-fetch-site': 'cross-site' }), 'CROSS_SITE');
});

test('a message whose hidden field is filled in is answered as usual and not sent', async ({ stack }) => {
  const body = contact({ website: 'https://buy.example' });
  const before = await stack.models.mails.countDocuments();
  expect(await post(stack, body)).toMatchObject({ status: 202, body: {} });
  expect(await stack.models.mails.countDocuments()).toBe(before);
  expect((await post(stack, { ...body, website: '' })).status).toBe(202);
  await stack.mails.waitForMail({ to: body.email });
});

test('the same message at the same time, or again after a lost answer, is sent once', async ({ stack }) => {
  const body = contact();
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(stack, body)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
  expect((await post(stack, body)).status).toBe(202);
  await settled(stack);
  expect(await messagesFrom(stack, body.email)).toHaveLength(1);
  expect(await stack.mails.mails(body.email)).toHaveLength(1);
});

test("a stranger's address gets a few confirmations an hour, and every message still reaches us", async ({
  stack,
}) => {
  const email = newAddress();
  for (let count = 0; count < limits.confirmationsAnHour + 4; count += 1) {
    expect((await post(stack, contact({ email, message: `Message ${count}` }))).status).toBe(202);
  }
  await settled(stack);
  expect(await messagesFrom(stack, email)).toHaveLength(limits.confirmationsAnHour + 4);
  expect(await stack.mails.mails(email)).toHaveLength(limits.confirmationsAnHour);
});
