/** What operators do for a person who asks for a copy of their data, or for its deletion. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { expect, vi } from 'vitest';
import {
  type OperatorActionList,
  type OperatorDeletionReply,
  type OperatorExport,
  type OperatorSellerView,
  operatorPaths,
  paths,
} from '#contract';
import { accountAction } from '#scripts/account/account.ts';
import { issueToken } from '#shared/data/accounts/account-tokens.ts';
import { call, signIn } from '#tests/support/account.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { operatorOf } from '#tests/support/operator.ts';
import type { Answer, Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { profileOf, stripe, subscriber } from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';
import { runBillingUpkeep } from '#worker/upkeep/billing.ts';

const test = testWithStack({ workers: 0 }).extend('operator', { scope: 'file' }, ({ stack }) =>
  operatorOf(stack),
);
test.afterEach(({ stack }) => stack.stripe.reset());

const askForExport = (operator: Seller, id: string, reason = 'Asked for in writing') =>
  call<OperatorExport>(operator, 'POST', operatorPaths.sellerExport(id), { reason });

const get = (stack: TestStack, operator: Seller, url: string) =>
  fetch(stack.url + url, { headers: { authorization: `Bearer ${operator.token}` } });

const askForDeletion = (
  operator: Seller,
  seller: Pick<Seller, 'id' | 'email'>,
  change: { email?: string; when?: string; reason?: string } = {},
): Promise<Answer<OperatorDeletionReply>> =>
  call(operator, 'POST', operatorPaths.sellerDeletion(seller.id), {
    reason: 'Asked for in writing',
    email: seller.email,
    when: 'now',
    ...change,
  });

const linesAbout = async (stack: TestStack, id: string) =>
  (await stack.models.operatorActions.find({ target: id }).sort({ at: 1, _id: 1 }).lean()).map(
    ({ action, reason, outcome }) => [action, reason, outcome],
  );

test('an operator exports the same archive as the seller, with a reason; log, mail and activity log say so', async ({
  stack,
  operator,
}) => {
  const seller = await stack.seller();
  const image = await insertImage(stack, seller);
  expectError(await askForExport(operator, seller.id, ' '), 'VALIDATION', {
    message: 'Please say why.',
    field: 'reason',
  });
  expectError(await askForExport(operator, seller.id, 'x'.repeat(501)), 'VALIDATION', {
    message: 'Please say why in at most 500 characters.',
    field: 'reason',
  });
  expectError(await askForExport(operator, 'nobody'), 'NOT_FOUND');
  const { body } = await askForExport(operator, seller.id);
  const reply = await get(stack, operator, body.url);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('application/zip');
  expect(reply.headers.get('cache-control')).toBe('no-store');
  const files = unzipSync(new Uint8Array(await reply.arrayBuffer()));
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(['README.txt', 'profile.json', 'generations.json', 'activity.json']),
  );
  expect(strFromU8(files['generations.json']!)).toContain(image._id);
  expect(JSON.parse(strFromU8(files['activity.json']!)).at(-1)).toMatchObject({
    kind: 'data-exported',
    device: 'Packshot support',
  });
  expect(JSON.parse(strFromU8(files['sessions.json']!))).toMatchObject([{ current: false }]);

  const user = (await stack.models.users.findById(seller.id).lean())!;
  const everything = Object.values(files)
    .map((file) => strFromU8(file))
    .join('\n');
  for (const secret of [user.password_hash, operator.id, operator.email]) {
    expect(everything.includes(secret), secret).toBe(false);
  }
  expect(await linesAbout(stack, seller.id)).toEqual([['export-data', 'Asked for in writing', 'done']]);
  const mail = await stack.models.mails.findOne({ to: seller.email, kind: 'dataExported' }).lean();
  expect(mail!.text).toContain('Our support exported everything');

  // The address is of this operator, this session and this person.
  const [second, other] = [await operatorOf(stack), await stack.seller()];
  expect((await get(stack, second, body.url)).status).toBe(400);
  expect((await get(stack, seller, body.url)).status).toBe(403);
  const swapped = body.url.replace(seller.id, other.id);
  expect((await get(stack, operator, swapped)).status).toBe(400);
  const ticket = new URL(body.url, stack.url).searchParams.get('ticket');
  expect((await get(stack, operator, `${paths.export}?ticket=${ticket}`)).status).toBe(400);
});

test('an operator deletes an account after typing its address; the plan ends, the mail says who did it, and the log keeps only the id', async ({
  stack,
  operator,
}) => {
  const seller = await subscriber(stack, 'freelance');
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  await insertImage(stack, seller);
  const window = await seller.openWindow();
  const closed = new Promise((resolve) => window.socket.once('disconnect', resolve));
  // A command wrote the address into the log.
  await accountAction(['enable', seller.email])(stack.db);
  expectError(await askForDeletion(operator, seller, { email: 'someone@else.example' }), 'VALIDATION', {
    message: 'This is not the address of this account.',
    field: 'email',
  });
  expectError(await askForDeletion(operator, seller, { reason: '' }), 'VALIDATION', {
    message: 'Please say why.',
    field: 'reason',
  });
  expectError(await askForDeletion(operator, { ...seller, id: 'nobody' }), 'NOT_FOUND');
  // Typed as it may be, and by two clicks.
  const typed = { email: ` ${seller.email.toUpperCase()} ` };
  const both = await Promise.all([1, 2].map(() => askForDeletion(operator, seller, typed)));
  expect(both.map(({ status, body }) => [status, body])).toEqual(Array(2).fill([200, { seller: null }]));
  await closed;
  expectError(await seller.request(paths.me), 'UNAUTHENTICATED');
  expectError(await signIn(stack.url, { email: seller.email }), 'BAD_CREDENTIALS');
  expectError(await askForExport(operator, seller.id), 'NOT_FOUND');

  await expect
    .poll(async () => (await stripe(stack).customers.retrieve(customer!)).deleted, eventually)
    .toBe(true);
  await stack.stripe.settled();
  await runBillingUpkeep(workerContext(stack), atOnce);
  expect(await stack.models.profiles.exists({ _id: seller.id })).toBeNull();
  const mail = await stack.models.mails.findOne({ _id: `deleted-${seller.id}` }).lean();
  expect(mail!.text).toContain('Our support deleted your Packshot account on request');
  expectError(await operator.request(operatorPaths.seller(seller.id)), 'NOT_FOUND');
  const log = await operator.request<OperatorActionList>(`${operatorPaths.actions}?target=${seller.id}`);
  expect(
    log.body.actions.map(({ action, newerAction, outcome }) => [newerAction ?? action, outcome]).sort(),
  ).toEqual([
    ['delete-account', 'done'],
    ['delete-account', 'done'],
    ['delete-account', 'refused'],
    ['enable-account', 'done'],
    ['export-data', 'refused'],
  ]);
  expect(JSON.stringify(log.body)).not.toContain(seller.email);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('while Stripe is away an account is deleted all the same, and the plan ends when Stripe is back', async ({
  stack,
  operator,
}) => {
  const seller = await subscriber(stack, 'freelance');
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  await stack.stripe.set({ faults: Array(60).fill({ when: 'before', status: 500, match: '/v1' }) });
  expect((await askForDeletion(operator, seller)).status).toBe(200);
  await expect(runBillingUpkeep(workerContext(stack), atOnce)).rejects.toThrow(/deletions are not finished/);
  expect((await profileOf(stack, seller)).deletion_asked_at).not.toBeNull();
  const view = await operator.request<OperatorSellerView>(operatorPaths.seller(seller.id));
  expect(view.body.deletionAskedAt).not.toBeNull();
  await stack.stripe.reset();
  await runBillingUpkeep(workerContext(stack), atOnce);
  expect((await stripe(stack).customers.retrieve(customer!)).deleted).toBe(true);
  expect(await stack.models.profiles.exists({ _id: seller.id })).toBeNull();
});

test('nobody deletes an operator, themselves, or an account whose change of address can be undone', async ({
  stack,
  operator,
}) => {
  const second = await operatorOf(stack);
  for (const when of ['now', 'notice']) {
    expectError(await askForDeletion(operator, operator, { when }), 'OPERATORS_ONLY', {
      message: 'This is your own account. Another operator has to do this.',
    });
    expectError(await askForDeletion(operator, second, { when }), 'NOT_DELETABLE', {
      message:
        'This account has the role of operator. Revoke the role first: npm run operator -- revoke ADDRESS',
    });
  }
  await expect(accountAction(['delete', second.email], { reason: 'A test' })(stack.db)).rejects.toThrow(
    /Revoke the role first/,
  );
  const stolen = await stack.seller();
  await issueToken(stack.db, {
    kind: 'undo-email',
    sellerId: stolen.id,
    email: 'previous@owner.example',
    lifeMs: 86_400_000,
  });
  expectError(await askForDeletion(operator, stolen), 'DELETION_TOO_SOON', {
    message:
      'The email address of this account was changed less than 7 days ago, and its owner can still undo that. Until then it can only be deleted with notice.',
  });
  expect((await askForDeletion(operator, stolen, { when: 'notice' })).status).toBe(200);
  // When the notice is over the owner can still undo the change: the account stays, and the log says why.
  await stack.models.profiles.updateOne(
    { _id: stolen.id },
    { $set: { 'deletion_planned.due_at': new Date() } },
  );
  expect(await runBillingUpkeep(workerContext(stack), atOnce)).toMatchObject({ deletionsBegun: 0 });
  expect((await profileOf(stack, stolen)).deletion_planned).toBeUndefined();
  expect((await linesAbout(stack, stolen.id)).map(([action, , outcome]) => [action, outcome])).toEqual([
    ['delete-account', 'refused'],
    ['plan-deletion', 'done'],
    ['delete-account', 'refused'],
  ]);
});

test('with notice: the person is told and can object, the plan is not renewed meanwhile, and then the account goes', async ({
  stack,
  operator,
}) => {
  const seller = await subscriber(stack, 'freelance');
  const planned = await askForDeletion(operator, seller, { when: 'notice' });
  const dueAt = planned.body.seller!.deletionDueAt!;
  expect(Date.parse(dueAt)).toBeGreaterThan(Date.now() + 6.9 * 86_400_000);
  expect(planned.body.seller).toMatchObject({ plan: { cancelAtPeriodEnd: true }, deletionAskedAt: null });
  expectError(await askForDeletion(operator, seller, { when: 'notice' }), 'NOT_REPEATABLE');
  const mail = await stack.models.mails.findOne({ to: seller.email, kind: 'deletionPlanned' }).lean();
  expect(mail!.text).toContain('To keep your account, answer this email');
  expect((await seller.me()).user.id).toBe(seller.id);

  const stop = await call<OperatorSellerView>(
    operator,
    'POST',
    operatorPaths.sellerAction(seller.id, 'stop-deletion'),
    { reason: 'The person wants to keep it' },
  );
  expect(stop.body).toMatchObject({ deletionDueAt: null, plan: { cancelAtPeriodEnd: false } });
  expectError(
    await call(operator, 'POST', operatorPaths.sellerAction(seller.id, 'stop-deletion'), { reason: 'Twice' }),
    'NOT_REPEATABLE',
  );
  expect(await runBillingUpkeep(workerContext(stack), atOnce)).toMatchObject({ deletionsBegun: 0 });

  await askForDeletion(operator, seller, { when: 'notice' });
  await stack.models.profiles.updateOne(
    { _id: seller.id },
    { $set: { 'deletion_planned.due_at': new Date() } },
  );
  expect(await runBillingUpkeep(workerContext(stack), atOnce)).toMatchObject({ deletionsBegun: 1 });
  expectError(await seller.request(paths.me), 'UNAUTHENTICATED');
  await runBillingUpkeep(workerContext(stack), { ...atOnce, deletionMs: -1 });
  expect(await stack.models.profiles.exists({ _id: seller.id })).toBeNull();
  expect((await linesAbout(stack, seller.id)).map(([action, , outcome]) => [action, outcome])).toEqual([
    ['plan-deletion', 'done'],
    ['plan-deletion', 'refused'],
    ['stop-deletion', 'done'],
    ['stop-deletion', 'refused'],
    ['plan-deletion', 'done'],
    ['delete-account', 'done'],
  ]);
});

test('the command exports into a file of its own and deletes, with a reason', async ({ stack }) => {
  const seller = await stack.seller();
  const image = await insertImage(stack, seller);
  const folder = await mkdtemp(join(tmpdir(), 'packshot-export-'));
  const to = join(folder, 'export.zip');
  vi.stubEnv('STORAGE_URL', stack.settings.STORAGE_URL);
  try {
    expect(() => accountAction(['export', seller.email], { to })).toThrow(/Please say why/);
    expect(() => accountAction(['export', seller.email], { reason: 'A test' })).toThrow(/--to takes/);
    expect(() => accountAction(['delete', seller.email])).toThrow(/Please say why/);
    const run = accountAction(['export', seller.email], { reason: 'Asked for in writing', to });
    expect(await run(stack.db)).toContain('Give it to nobody but its owner');
    const files = unzipSync(new Uint8Array(await readFile(to)));
    expect(strFromU8(files['generations.json']!)).toContain(image._id);
    expect((await stat(to)).mode & 0o777).toBe(0o600);
    await expect(run(stack.db)).rejects.toThrow(/EEXIST/);
  } finally {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  }
  const deleted = accountAction(['delete', seller.email], { reason: 'Asked for in writing' });
  expect(await deleted(stack.db)).toContain('is being deleted');
  expectError(await seller.request(paths.me), 'UNAUTHENTICATED');
  await runBillingUpkeep(workerContext(stack), { ...atOnce, deletionMs: -1 });
  expect(await stack.models.profiles.exists({ _id: seller.id })).toBeNull();
  await expect(deleted(stack.db)).rejects.toThrow('There is no account with the address');
  expect(await linesAbout(stack, seller.id)).toEqual([
    ['export-data', 'Asked for in writing', 'done'],
    ['export-data', 'Asked for in writing', 'refused'],
    ['delete-account', 'Asked for in writing', 'done'],
  ]);
});
