/** Signing up: what an account needs, in the documented order of checks, and what a sign-up creates. */
import { expect } from 'vitest';
import { paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, newAddress, signUpForm } from '#tests/support/visitor.ts';

const test = testWithStack();

const signUp = (stack: TestStack, details: object) => createVisitor(stack.url).post(paths.accounts, details);
const valid = signUpForm;
const profileOf = (stack: TestStack, email: string) => stack.models.profiles.findOne({ email }).lean();

const emailText = 'Please enter a valid email address';
const nameText = 'Please enter a valid name';
const passwordText = 'Password does not meet security requirements';
const termsText = 'You must accept the terms and conditions';

test('everything that is wrong with a sign-up is reported in the documented order', async ({ stack }) => {
  const email = newAddress();
  const details: Record<string, unknown> = {
    email: 'x',
    fullName: '1',
    password: 'short',
    plan: 'gold',
    acceptTerms: false,
  };
  const order: [field: string, message: string, right: unknown][] = [
    ['email', emailText, email],
    ['fullName', nameText, 'Test Seller'],
    ['password', passwordText, 'P@ssword1!'],
    ['plan', 'Invalid subscription plan', 'enterprise'],
    ['acceptTerms', termsText, true],
  ];
  for (const [field, message, right] of order) {
    expectError(await signUp(stack, details), 'VALIDATION', { field, message });
    details[field] = right;
  }
  expectError(await signUp(stack, details), 'PASSWORD_COMMON');
  expect(await profileOf(stack, email)).toBeNull();
  expect(await signUp(stack, { ...details, password: testPassword })).toMatchObject({
    status: 202,
    body: {},
  });
  expect(await profileOf(stack, email)).toMatchObject({
    subscription_plan: 'enterprise',
    email_verified: false,
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

test.for(wrongDetails)(
  'a wrong %s is refused and makes no account',
  async ([field, message, values], { stack }) => {
    const before = await stack.models.profiles.countDocuments();
    for (const value of values) {
      expectError(await signUp(stack, { ...valid(), [field]: value }), 'VALIDATION', { field, message });
    }
    expect(await stack.models.profiles.countDocuments()).toBe(before);
  },
);

test('what nobody asked for is refused, such as a balance', async ({ stack }) => {
  for (const field of ['credits', 'generations_left', 'role', '_id', 'email_verified']) {
    const message = `The field "${field}" is not known.`;
    expectError(await signUp(stack, { ...valid(), [field]: 1_000 }), 'VALIDATION', { field, message });
  }
});

test('names of all scripts are welcome, addresses are kept in lower case', async ({ stack }) => {
  for (const fullName of ["Zoë O'Brien-Łukasiewicz", '木村 拓哉', 'Ñandú', 'Li', 'D’Arcy']) {
    const form = valid({ fullName: ` ${fullName} ` });
    expect(await signUp(stack, form)).toMatchObject({ status: 202 });
    expect(await profileOf(stack, form.email)).toMatchObject({ full_name: fullName });
  }
  const email = newAddress();
  const form = { ...valid(), email: ` ${email.toUpperCase()} `, plan: ' Enterprise ' };
  expect(await signUp(stack, form)).toMatchObject({ status: 202 });
  expect(await profileOf(stack, email)).toMatchObject({ email, subscription_plan: 'enterprise' });
});

test('a sign-up creates profile and settings with their defaults, and grants no image before a payment', async ({
  stack,
}) => {
  for (const [plan, images] of [
    ['freelance', 100],
    ['enterprise', 0],
  ] as const) {
    const { email } = await signedUp(stack, plan);
    const profile = (await profileOf(stack, email))!;
    expect(profile).toMatchObject({
      subscription_status: 'inactive',
      subscription_plan: plan,
      credits: images,
      total_generations: images,
      generations_left: 0,
      granted: 0,
      login_count: 0,
      last_login: null,
      account_locked: false,
      security_level: 'standard',
      two_factor_enabled: false,
      email_verified: false,
    });
    expect(await stack.models.userSettings.findById(profile._id).lean()).toMatchObject({
      user_id: profile._id,
      dark_mode: false,
      image_quality: 'high',
      session_timeout: 30,
      password_expiry_days: 90,
      preferences: { language: 'en', theme: 'system' },
    });
    const user = JSON.stringify(await stack.models.users.findById(profile._id).lean());
    expect(user).not.toContain(testPassword);
  }
  expect(await stack.audit()).toEqual([]);
});

async function signedUp(stack: TestStack, plan: 'freelance' | 'enterprise') {
  const form = valid({ plan });
  expect(await signUp(stack, form)).toMatchObject({ status: 202 });
  return form;
}

test('an address has one account, however it is spelt and however many sign up at once', async ({
  stack,
}) => {
  const email = newAddress();
  const spelt = (index: number) => (index % 2 === 0 ? email : ` ${email.toUpperCase()}`);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => signUp(stack, valid({ email: spelt(index) }))),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202));
  const profiles = await stack.models.profiles.find({ email }).lean();
  expect(profiles).toHaveLength(1);
  expect(await stack.models.users.find({ email }).lean()).toMatchObject([{ _id: profiles[0]!._id }]);
  // None of those that were too late has left its profile or settings.
  const counts = await Promise.all([
    stack.models.profiles.countDocuments(),
    stack.models.userSettings.countDocuments(),
    stack.models.users.countDocuments(),
  ]);
  expect(new Set(counts).size, counts.join(', ')).toBe(1);
  expect(await stack.audit()).toEqual([]);
});
