/** Rows 25 and 26, and signing up: what an account needs, and what nobody learns by trying. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits, paths, type SessionReply } from '../../shared/contract/index.ts';
import { expectRefusal } from '../support/refusals.ts';
import { type Answer, type Seller, testPassword } from '../support/seller.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';

let stack: TestStack;
let sellers: Seller[];
beforeAll(async () => {
  stack = await startTestStack({ workers: 0 });
  sellers = await Promise.all(Array.from({ length: 6 }, () => stack.seller()));
});
afterAll(() => stack.close());

async function post(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<unknown>> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
  const reply = await fetch(stack.url + path, init);
  return { status: reply.status, headers: reply.headers, body: await reply.json() };
}
const signUp = (details: object) => post(paths.accounts, details);
const signIn = (email: unknown, password: unknown = testPassword, headers = {}) =>
  post(paths.session, { email, password }, headers);
const newAddress = () => `seller-${randomUUID()}@shop.example`;
const valid = () => ({
  email: newAddress(),
  fullName: 'Test Seller',
  password: testPassword,
  plan: 'freelance',
  acceptTerms: true,
});

const emailText = 'Please enter a valid email address';
const nameText = 'Please enter a valid name';
const passwordText = 'Password does not meet security requirements';
const termsText = 'You must accept the terms and conditions';

test('everything that is wrong with a sign-up is said in the order of the seed', async () => {
  const details: Record<string, unknown> = {
    email: 'x',
    fullName: '1',
    password: 'short',
    plan: 'gold',
    acceptTerms: false,
  };
  const order: [field: string, message: string, right: unknown][] = [
    ['email', emailText, newAddress()],
    ['fullName', nameText, 'Test Seller'],
    ['password', passwordText, testPassword],
    ['plan', 'Invalid subscription plan', 'enterprise'],
    ['acceptTerms', termsText, true],
  ];
  for (const [field, message, right] of order) {
    expectRefusal(await signUp(details), 'VALIDATION', { field, message });
    details[field] = right;
  }
  expect(await signUp(details)).toMatchObject({
    status: 201,
    body: { subscription: { plan: 'enterprise' } },
  });
});

const wrongDetails: [field: string, message: string, values: unknown[]][] = [
  [
    'email',
    emailText,
    [
      undefined,
      null,
      7,
      '',
      ' ',
      'a',
      'a@',
      '@b.example',
      'a@b',
      'a b@c.example',
      'a@b..example',
      'a@b.example\r\nBcc: c@d.example',
      'a@b.example\0',
      `${'x'.repeat(250)}@b.example`,
      ['a@b.example'],
      { $gt: '' },
    ],
  ],
  [
    'fullName',
    nameText,
    [
      undefined,
      null,
      7,
      '',
      'X',
      ' X ',
      'R2D2',
      'A<script>',
      'Ann; Lee',
      'Ann\nLee',
      'Ann\0Lee',
      '-Ann',
      'x'.repeat(51),
      { $gt: '' },
    ],
  ],
  [
    'password',
    passwordText,
    [
      undefined,
      null,
      12_345_678,
      '',
      'Short-7',
      'no-upper-7',
      'NO-LOWER-7',
      'No-Digit-x',
      'NoSpecial7',
      `Aa-7${'x'.repeat(125)}`,
      { $gt: '' },
    ],
  ],
  ['plan', 'Invalid subscription plan', ['', 'gold', 'FREE', 'freelance2', '__proto__']],
  ['acceptTerms', termsText, [undefined, null, false, 'true', 1]],
];

test.for(wrongDetails)('a wrong %s is refused and makes no account', async ([field, message, values]) => {
  const before = await stack.data.profiles.countDocuments();
  for (const value of values) {
    expectRefusal(await signUp({ ...valid(), [field]: value }), 'VALIDATION', { field, message });
  }
  expect(await stack.data.profiles.countDocuments()).toBe(before);
});

test('what nobody asked for is refused, such as a balance', async () => {
  for (const field of ['credits', 'generations_left', 'role', '_id', 'subscription_status']) {
    const message = `The field "${field}" is not known.`;
    expectRefusal(await signUp({ ...valid(), [field]: 1_000 }), 'VALIDATION', { field, message });
  }
});

test('names of all scripts are welcome, addresses are kept in lower case', async () => {
  for (const fullName of ["Zoë O'Brien-Łukasiewicz", '木村 拓哉', 'Ñandú', 'Li', 'D’Arcy']) {
    const answer = await signUp({ ...valid(), fullName: ` ${fullName} ` });
    expect(answer).toMatchObject({ status: 201, body: { user: { fullName, displayName: fullName } } });
  }
  const email = newAddress();
  const answer = await signUp({ ...valid(), email: ` ${email.toUpperCase()} `, plan: ' Enterprise ' });
  expect(answer).toMatchObject({
    status: 201,
    body: { user: { email }, subscription: { plan: 'enterprise' } },
  });
  expect(await signIn(`${email.toUpperCase()} `)).toMatchObject({ status: 200 });
});

test('an address has one account, however it is spelt and however many sign up at once', async () => {
  const email = newAddress();
  const spelt = (index: number) => (index % 2 === 0 ? email : ` ${email.toUpperCase()}`);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => signUp({ ...valid(), email: spelt(index) })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 201))
    expectRefusal(answer, 'SIGN_UP_REFUSED');
  expectRefusal(await signUp({ ...valid(), email, password: 'Another-Pass-8' }), 'SIGN_UP_REFUSED');
  const profiles = await stack.data.profiles.find({ email }).lean();
  expect(profiles).toHaveLength(1);
  expect(await stack.data.userSettings.countDocuments()).toBe(await stack.data.profiles.countDocuments());
  expect(await stack.audit()).toEqual([]);
});

test('an unknown address and a wrong password get the same words in the same time', async () => {
  const known: number[] = [];
  const unknown: number[] = [];
  // In turn, so that whatever else the machine does burdens both alike; four for an address stay below the limit.
  for (const seller of sellers.slice(0, 5)) {
    for (let attempt = 0; attempt < 4; attempt += 1) {
      known.push(await timed(() => signIn(seller.email, 'Wrong-Horse-7')));
      unknown.push(await timed(() => signIn(newAddress(), 'Wrong-Horse-7')));
    }
  }
  const ratio = median(unknown) / median(known);
  expect(ratio, `${median(unknown)} ms and ${median(known)} ms`).toBeGreaterThan(0.6);
  expect(ratio, `${median(unknown)} ms and ${median(known)} ms`).toBeLessThan(1.6);
});

async function timed(attempt: () => Promise<Answer<unknown>>): Promise<number> {
  const began = performance.now();
  const answer = await attempt();
  const took = performance.now() - began;
  expectRefusal(answer, 'BAD_CREDENTIALS');
  return took;
}

const median = (values: number[]) =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!;

test('sign-in wants both fields', async () => {
  const both = 'Email and password are required';
  expectRefusal(await signIn('a'), 'VALIDATION', { field: 'email', message: emailText });
  for (const password of [
    '',
    null,
    undefined,
    7,
    { $gt: '' },
    'x'.repeat(limits.passwordCharactersMost + 1),
  ]) {
    expectRefusal(await post(paths.session, { email: newAddress(), password }), 'VALIDATION', {
      field: 'password',
      message: both,
    });
  }
});

test('the sixth attempt for an address is refused, whatever it claims to come from', async () => {
  const seller = sellers[5]!;
  for (let attempt = 0; attempt < limits.signInAttempts; attempt += 1) {
    expectRefusal(await signIn(seller.email, 'Wrong-Horse-7'), 'BAD_CREDENTIALS');
  }
  const disguises = [
    {},
    { 'x-forwarded-for': '203.0.113.7' },
    { 'x-forwarded-for': '203.0.113.8, 198.51.100.1' },
    { forwarded: 'for=203.0.113.9', 'x-real-ip': '203.0.113.9', 'user-agent': 'another' },
  ];
  for (const headers of disguises) {
    for (const email of [seller.email, ` ${seller.email.toUpperCase()}`]) {
      // Not even the right password opens it now, so nobody learns which one it is.
      const answer = await signIn(email, testPassword, headers);
      const wait = Number(answer.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(limits.signInWindowSeconds - 30);
      expect(wait).toBeLessThanOrEqual(limits.signInWindowSeconds);
      const message = `Too many failed attempts. Please try again in ${wait} seconds.`;
      expectRefusal(answer, 'RATE_LIMITED', { message });
    }
  }
  expect(await signIn(newAddress())).toMatchObject({ status: 401 });
  expect(await seller.me()).toMatchObject({ user: { id: seller.id } });
});

test('an unknown address is limited like a known one, also when all attempts come at once, on two servers', async () => {
  const another = await stack.startServer();
  const email = newAddress();
  const body = JSON.stringify({ email, password: 'Wrong-Horse-7' });
  const headers = { 'content-type': 'application/json' };
  const statuses = await Promise.all(
    Array.from({ length: 16 }, async (_, index) => {
      const url = index % 2 === 0 ? stack.url : another.url;
      return (await fetch(url + paths.session, { method: 'POST', headers, body })).status;
    }),
  );
  expect(statuses.filter((status) => status === 401)).toHaveLength(limits.signInAttempts);
  expect(statuses.filter((status) => status === 429)).toHaveLength(16 - limits.signInAttempts);
});

test('a sign-in is noted, and each is a session of its own', async () => {
  const seller = await stack.seller();
  const [first, second] = [await signIn(seller.email), await signIn(seller.email)];
  const tokens = [first, second].map(({ body }) => (body as SessionReply).token);
  expect(new Set([...tokens, seller.token]).size).toBe(3);
  expect(await stack.data.profiles.findById(seller.id).lean()).toMatchObject({ login_count: 2 });
  const stored = JSON.stringify(await stack.data.users.findById(seller.id).lean());
  expect(stored).toContain('$argon2id$');
  expect(stored).not.toContain(testPassword);
});
