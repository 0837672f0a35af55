/** Email addresses: the same rule at every place that takes one, and one spelling wherever they are stored or sent to. */
import { expect } from 'vitest';
import { type OperatorGenerationList, type OperatorSellerList, operatorPaths, paths } from '#contract';
import { accountAction } from '#scripts/account/account.ts';
import { operatorAction } from '#scripts/operator/operator.ts';
import { call, signIn } from '#tests/support/account.ts';
import { pdf } from '#tests/support/cv-files.ts';
import { expectError } from '#tests/support/errors.ts';
import { multipart } from '#tests/support/multipart.ts';
import { invalidAddresses, validAddresses } from '#tests/support/names-and-addresses.ts';
import { operatorOf } from '#tests/support/operator.ts';
import { type Answer, type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import {
  createVisitor,
  newAddress,
  resetMailLimit,
  resetSignInLimit,
  signUpForm,
  tokenFromMail,
} from '#tests/support/visitor.ts';

const test = testWithStack({ settings: { NETWORK_LIMIT_FACTOR: '1000' } });

/** Sends an address to one place. */
type Place = (stack: TestStack, email: string, seller: Seller) => Promise<Answer<unknown>>;

const post = (stack: TestStack, path: string, body: object) => createVisitor(stack.url).post(path, body);

/** Every place where a visitor or a seller enters an address. */
const places: Readonly<Record<string, Place>> = {
  'sign-up': (stack, email) => post(stack, paths.accounts, signUpForm({ email })),
  'the link of a sign-up again': (stack, email) => post(stack, paths.verification, { email }),
  'sign-in': (stack, email) => post(stack, paths.session, { email, password: 'Wrong-Horse-7' }),
  'a new password': (stack, email) => post(stack, paths.passwordReset, { email }),
  'a change of address': (_stack, email, seller) =>
    call(seller, 'POST', paths.email, { email, password: testPassword }),
  'the contact form': (stack, email) =>
    post(stack, paths.contact, { name: 'Ada', email, subject: 'general', message: 'Hi' }),
  'an application': (stack, email) => {
    const fields = { position: 'product-designer', name: 'Ada', email };
    const text = Object.entries(fields).map(([name, value]) => ({ name, value }));
    const cv = { name: 'cv', fileName: 'cv.pdf', type: 'application/pdf', value: pdf() };
    return createVisitor(stack.url).request(paths.applications, {
      method: 'POST',
      ...multipart([...text, cv]),
    });
  },
};

test.for(Object.entries(places))('%s refuses what is no address', async ([, send], { stack }) => {
  const seller = await stack.seller({ paid: false });
  for (const email of invalidAddresses) {
    expectError(await send(stack, email, seller), 'VALIDATION', {
      field: 'email',
      message: 'Please enter a valid email address',
    });
  }
});

/** A name that only this address has. @param index of the address in the list */
const nameOf = (index: number) => `ana${index}`;

test('an account is found by its address in every spelling, and mails go to the one that is stored', async ({
  stack,
}) => {
  const operator = await operatorOf(stack, { paid: false });
  for (const [index, [typed, stored]] of validAddresses.entries()) {
    const [email, address] = [typed(nameOf(index)), stored(nameOf(index))];
    const visitor = createVisitor(stack.url);
    expect((await visitor.post(paths.accounts, signUpForm({ email }))).status).toBe(202);
    const { token } = await tokenFromMail(stack, address, 'verifyEmail');
    const session = await visitor.post(paths.verifyEmail, { token });
    expect(session).toMatchObject({ status: 200, body: { user: { email: address } } });
    const { _id: id } = (await stack.models.users.findOne({ email: address }).lean())!;

    expect((await signIn(stack.url, { email })).status).toBe(200);
    await post(stack, paths.passwordReset, { email });
    await tokenFromMail(stack, address, 'resetPassword');
    const query = encodeURIComponent(email);
    const sellers = await call<OperatorSellerList>(
      operator,
      'GET',
      `${operatorPaths.sellers}?query=${query}`,
    );
    expect(sellers.body.sellers.map((each) => each.id)).toEqual([id]);
    const generations = `${operatorPaths.generations}?seller=${query}`;
    expect((await call<OperatorGenerationList>(operator, 'GET', generations)).body.generations).toEqual([]);
    expect(await accountAction(['show', email])(stack.db)).toBe(`${address} can sign in.`);
    await expect(operatorAction(['grant', email])(stack.db)).rejects.toThrow(address);
    // The same mailbox: a second account would have no use for it.
    expect(await stack.models.users.countDocuments({ email: address })).toBe(1);
    await resetSignInLimit(stack.db);
    await resetMailLimit(stack.db);
  }
});

test('a message and a change of address go by the stored spelling', async ({ stack }) => {
  const [typed, stored] = validAddresses[0]!;
  const seller = await stack.seller({ paid: false });
  expect((await places['a change of address']!(stack, typed('new'), seller)).status).toBe(202);
  await stack.mails.waitForMail({ to: stored('new'), subject: 'Confirm your new email' });
  expect((await places['the contact form']!(stack, typed('writer'), seller)).status).toBe(202);
  await stack.mails.waitForMail({ to: stored('writer'), subject: 'We received your message' });
});

// The pages of links in mails are told to which address the mail went, and nothing else.

test('each link tells the address of its mailbox, never another address of the account', async ({
  stack,
}) => {
  const visitor = createVisitor(stack.url);
  const addressOf = (token: string) => visitor.post(paths.linkAddress, { token });
  const seller = await stack.seller({ paid: false });
  const [{ email: unverified }, newEmail] = [signUpForm(), newAddress()];
  await visitor.post(paths.accounts, signUpForm({ email: unverified }));
  await visitor.post(paths.passwordReset, { email: seller.email });
  await call(seller, 'POST', paths.email, { email: newEmail, password: seller.password });
  const sent = [
    [unverified, 'verifyEmail'],
    [seller.email, 'resetPassword'],
    [newEmail, 'confirmEmail'],
    [seller.email, 'undoEmail', 'about to change'],
  ] as const;
  for (const [email, page, subject] of sent) {
    const { token } = await tokenFromMail(stack, email, page, undefined, subject);
    // Twice: it does not use the link.
    for (const answer of [await addressOf(token), await addressOf(token)]) {
      expect([answer.status, answer.body]).toEqual([200, { email }]);
    }
  }
  for (const token of ['x', 'x'.repeat(201), '']) expectError(await addressOf(token), 'TOKEN_INVALID');
});
