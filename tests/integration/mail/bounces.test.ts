/** Mail that comes back: when it is sent, or later as the mail provider reports. */
import { randomBytes, randomUUID } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { type ErrorReply, limits, operatorPaths, paths } from '#contract';
import { startServer } from '#server/server.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { registry } from '#shared/metrics/metrics.ts';
import { loadConfig } from '#shared/platform/config.ts';
import { call, post } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { operatorOf } from '#tests/support/operator.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { newAddress, tokenFromMail } from '#tests/support/visitor.ts';

const secret = randomBytes(32).toString('hex');
const test = testWithStack({ settings: { MAIL_WEBHOOK_SECRET: secret } });

test.beforeEach(({ stack }) => stack.mails.behave({ behaviour: 'ok' }));

const bearer = { authorization: `Bearer ${secret}` };
const report = (stack: TestStack, body: object, headers: Record<string, string> = bearer) =>
  post<ErrorReply & { recorded?: number }>(stack.url, paths.mailWebhook, body, headers);

/** Puts a mail into the outbox that nobody asks for. @returns a function that reads what became of it */
async function enqueue(stack: TestStack, to: string) {
  const id = randomUUID();
  await enqueueMail(stack.db, stack.server.context.relay, 'accountDeleted', to, { fullName: 'Ada' }, { id });
  return async () => {
    await expect
      .poll(async () => (await stack.models.mails.findById(id).lean())?.ended_at, eventually)
      .toBeTruthy();
    return (await stack.models.mails.findById(id).lean())!;
  };
}

const unreachable = async (seller: Seller) => (await seller.me()).user.emailUnreachable;

/** A seller whose mail came back. */
async function bouncedSeller(stack: TestStack): Promise<Seller> {
  const seller = await stack.seller({ paid: false });
  const reports = [
    { type: 'bounce', address: seller.email, permanent: true, reason: '550 5.1.1 No such user' },
  ];
  expect((await report(stack, { reports })).status).toBe(200);
  expect(await unreachable(seller)).toMatchObject({ kind: 'bounce', reason: '550 5.1.1 No such user' });
  return seller;
}

test('a recipient that is refused for good gets no more mail, that which waited included, and the seller is told', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  expect(await unreachable(seller)).toBeNull();
  await stack.mails.behave({ behaviour: 'refuse', to: seller.email });
  const first = await (await enqueue(stack, seller.email))();
  expect(first.failure).toContain('5.1.1');
  expect(await unreachable(seller)).toMatchObject({
    kind: 'bounce',
    reason: expect.stringContaining('5.1.1'),
  });
  await stack.mails.behave({ behaviour: 'ok' });
  const waiting = [await enqueue(stack, seller.email), await enqueue(stack, seller.email)];
  for (const ended of waiting) {
    const row = await ended();
    expect(row).toMatchObject({ text: null, html: null, failure: null });
    expect(row.suppressed).toContain('comes back');
  }
  expect(await stack.mails.mails(seller.email)).toEqual([]);
  const metrics = await registry.metrics();
  expect(metrics).toMatch(/packshot_mail_bounces_total\{source="sending",kind="bounce"\} [1-9]/);
  expect(metrics).toMatch(/packshot_mail_attempts_total\{outcome="suppressed"\} [2-9]/);
});

test('a full mailbox and a block list that has us say nothing about the address', async ({ stack }) => {
  for (const [code, message] of [
    [552, '5.2.2 Mailbox full'],
    [550, '5.7.1 Blocked by a list'],
    [451, '4.2.1 Greylisted, try again'],
  ] as const) {
    const seller = await stack.seller({ paid: false });
    await stack.mails.behave({ behaviour: 'refuse', to: seller.email, code, message });
    await enqueue(stack, seller.email);
    const failed = { to: seller.email, failure: { $ne: null } };
    await expect.poll(() => stack.models.mails.countDocuments(failed), eventually).toBe(1);
    expect(await unreachable(seller)).toBeNull();
  }
});

test('mails to us are always tried, and no account is marked for them', async ({ stack }) => {
  const { contactAddress } = stack.config.mail;
  const ours = await stack.seller({ paid: false, email: contactAddress });
  await stack.mails.behave({ behaviour: 'refuse', to: contactAddress, count: 1 });
  const message = { name: 'Ada', email: newAddress(), subject: 'general', message: 'A question about plans' };
  for (const text of ['one', 'two']) {
    const sent = await post(stack.url, paths.contact, { ...message, message: `${message.message} ${text}` });
    expect([sent.status, sent.body]).toMatchObject([202, {}]);
    const ended = { to: contactAddress, kind: 'contactMessage' as const, ended_at: { $ne: null } };
    await expect
      .poll(() => stack.models.mails.countDocuments(ended), eventually)
      .toBe(text === 'one' ? 1 : 2);
  }
  expect(await unreachable(ours)).toBeNull();
  expect(await stack.mails.mails(contactAddress)).toHaveLength(1);
});

test('a mail with a link that the owner asks for is tried once a day; the link makes the address reachable', async ({
  stack,
}) => {
  const seller = await bouncedSeller(stack);
  const ask = () => post(stack.url, paths.passwordReset, { email: seller.email });
  await ask();
  const { token } = await tokenFromMail(stack, seller.email, 'resetPassword');
  await ask();
  const suppressed = { to: seller.email, kind: 'resetPassword' as const, suppressed: { $exists: true } };
  await expect.poll(() => stack.models.mails.countDocuments(suppressed), eventually).toBe(1);
  expect(await stack.mails.mails(seller.email)).toHaveLength(1);
  // A day later.
  const yesterday = new Date(Date.now() - (limits.unreachableTryHours + 1) * 3_600_000);
  await stack.models.profiles.updateOne({ _id: seller.id }, { 'unreachable.tried_at': yesterday });
  await ask();
  await expect.poll(async () => (await stack.mails.mails(seller.email)).length, eventually).toBe(2);
  const { token: newest } = await tokenFromMail(stack, seller.email, 'resetPassword');
  expect(newest).not.toBe(token);
  const reset = await post(stack.url, paths.confirmPasswordReset, {
    token: newest,
    password: 'Another-Horse-8',
  });
  expect(reset.status).toBe(204);
  expect((await stack.models.profiles.findById(seller.id).lean())!.unreachable).toBeUndefined();
});

test('the owner shows that mail arrives again with a link, once a day', async ({ stack }) => {
  const seller = await bouncedSeller(stack);
  const check = () => call(seller, 'POST', paths.emailCheck);
  expect((await check()).status).toBe(202);
  expectError(await check(), 'RATE_LIMITED', { message: expect.stringContaining('tomorrow') as never });
  const { token } = await tokenFromMail(stack, seller.email, 'confirmReachable');
  // Asking for it is not enough.
  expect(await unreachable(seller)).not.toBeNull();
  const confirm = () => post(stack.url, paths.confirmReachable, { token });
  expect((await confirm()).status).toBe(204);
  expect(await unreachable(seller)).toBeNull();
  expectError((await confirm()) as never, 'TOKEN_INVALID');
  expect(await (await enqueue(stack, seller.email))()).toMatchObject({ failure: null });
  expect(await stack.mails.mails(seller.email)).toHaveLength(2);
  // Now nothing is sent.
  expect((await check()).status).toBe(202);
  expect(await stack.models.mails.countDocuments({ to: seller.email, kind: 'confirmReachable' })).toBe(1);
});

test('a new address is reachable, and a late report about the old one changes nothing', async ({ stack }) => {
  const seller = await bouncedSeller(stack);
  const email = newAddress();
  await call(seller, 'POST', paths.email, { email, password: testPassword });
  const { token } = await tokenFromMail(stack, email, 'confirmEmail');
  const confirmed = await post(stack.url, paths.confirmEmail, { token, password: testPassword });
  expect(confirmed.status).toBe(204);
  expect(await unreachable(seller)).toBeNull();
  await report(stack, { reports: [{ type: 'complaint', address: seller.email }] });
  expect(await unreachable(seller)).toBeNull();
  expect(await (await enqueue(stack, email))()).toMatchObject({ failure: null });
});

test('the webhook takes our shape and that of Postmark, tells what is for good from what is not, and may repeat itself', async ({
  stack,
}) => {
  const postmark = {
    RecordType: 'Bounce',
    ID: 42,
    Type: 'HardBounce',
    Description: 'The server was unable to deliver',
  };
  const complaint = { RecordType: 'SpamComplaint', Type: 'SpamComplaint', Description: '' };
  const dead: ((address: string) => object)[] = [
    (address) => ({ reports: [{ type: 'bounce', address: address.toUpperCase(), permanent: true }] }),
    (address) => ({ reports: [{ type: 'complaint', address, reason: 'abuse' }] }),
    (Email) => ({ ...postmark, Email }),
    (Email) => ({ ...postmark, Type: 'BadEmailAddress', Email }),
    (Email) => ({ ...complaint, Email }),
  ];
  const alive: ((address: string) => object)[] = [
    (address) => ({ reports: [{ type: 'bounce', address, permanent: false, reason: 'greylisted' }] }),
    (address) => ({
      reports: [{ type: 'bounce', address, permanent: true, reason: 'smtp; 550 5.7.1 blocked' }],
    }),
    (address) => ({
      reports: [{ type: 'bounce', address, permanent: true, reason: '552 5.2.2 Mailbox full' }],
    }),
    (Email) => ({ ...postmark, Type: 'SoftBounce', Email }),
    (Email) => ({ ...postmark, Type: 'Blocked', Email }),
    (Email) => ({ RecordType: 'Delivery', Recipient: Email }),
  ];
  for (const [shapes, marked] of [
    [dead, true],
    [alive, false],
  ] as const) {
    for (const shape of shapes) {
      const seller = await stack.seller({ paid: false });
      const body = shape(seller.email);
      for (let each = 0; each < 2; each += 1) {
        expect(await report(stack, body)).toMatchObject({ status: 200, body: { recorded: marked ? 1 : 0 } });
      }
      expect((await unreachable(seller)) !== null, JSON.stringify(body)).toBe(marked);
    }
  }
  const unknown = { reports: [{ type: 'complaint', address: newAddress() }] };
  expect(await report(stack, unknown)).toMatchObject({ status: 200 });
  expect(await report(stack, { nothing: true })).toMatchObject({ status: 400 });
});

test('the webhook takes its secret as a token or a password, and is off without one', async ({ stack }) => {
  const body = { reports: [] };
  const basic = (password: string) => ({
    authorization: `Basic ${Buffer.from(`postmark:${password}`).toString('base64')}`,
  });
  for (const right of [bearer, basic(secret)]) expect((await report(stack, body, right)).status).toBe(200);
  const wrong = [{}, basic('x'), { authorization: 'Bearer x' }, { authorization: `Bearer ${secret}x` }];
  for (const headers of wrong)
    expectError((await report(stack, body, headers as never)) as never, 'UNAUTHENTICATED');
  const { MAIL_WEBHOOK_SECRET: _, ...settings } = stack.settings;
  const { decoder } = stack.server.context;
  const server = await startServer(loadConfig({ ...settings, PORT: '0' }), { site: null, decoder });
  onTestFinished(() => server.close());
  expectError((await post(server.url, paths.mailWebhook, body, bearer)) as never, 'NOT_FOUND');
});

test('an operator sees what the mail server said, and has mail sent again', async ({ stack }) => {
  const seller = await bouncedSeller(stack);
  const operator = await operatorOf(stack);
  const view = await call<{ user: { emailUnreachable: unknown } }>(
    operator,
    'GET',
    operatorPaths.seller(seller.id),
  );
  expect(view.body.user.emailUnreachable).toMatchObject({ reason: '550 5.1.1 No such user' });
  const lifted = await call<{ user: { emailUnreachable: unknown } }>(
    operator,
    'POST',
    operatorPaths.sellerAction(seller.id, 'mark-reachable'),
    { reason: 'The seller wrote from it' },
  );
  expect([lifted.status, lifted.body.user.emailUnreachable]).toEqual([200, null]);
  expect(await unreachable(seller)).toBeNull();
  const logged = {
    action: 'send-mail-again',
    target_kind: 'seller',
    target: seller.id,
    outcome: 'done',
  } as const;
  expect(await stack.models.operatorActions.countDocuments(logged)).toBe(1);
});
