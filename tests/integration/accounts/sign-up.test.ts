/** Sign-up: validation in the documented order, and what a sign-up creates. */
import { expect } from 'vitest';
import { paths } from '#contract';
import { modelsOf } from '#shared/data/collections.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, newAddress, signUpForm } from '#tests/support/visitor.ts';

const test = testWithStack();

const signUp = (stack: TestStack, details: object) => createVisitor(stack.url).post(paths.accounts, details);
const valid = signUpForm;
const profileOf = (stack: TestStack, email: string) => stack.models.profiles.findOne({ email }).lean();

const emailMessage = 'Please enter a valid email address';
const nameMessage = 'Please enter a valid name';
const passwordMessage = 'Password does not meet security requirements';
const termsMessage = 'You must accept the terms and conditions';

test('invalid fields of a sign-up are reported in the documented order', async ({ stack }) => {
  const email = newAddress();
  const details: Record<string, unknown> = {
    email: 'x',
    fullName: '1',
    password: 'short',
    plan: 'gold',
    acceptTerms: false,
  };
  const order: [field: string, message: string, valid: unknown][] = [
    ['email', emailMessage, email],
    ['fullName', nameMessage, 'Test Seller'],
    ['password', passwordMessage, 'P@ssword1!'],
    ['plan', 'Invalid subscription plan', 'enterprise'],
    ['acceptTerms', termsMessage, true],
  ];
  for (const [field, message, value] of order) {
    expectError(await signUp(stack, details), 'VALIDATION', { field, message });
    details[field] = value;
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

const invalidFields: [field: string, message: string, values: unknown[]][] = [
  ['email', emailMessage, [undefined, null, 7, '', ' ', ['a@b.example'], { $gt: '' }]],
  ['fullName', nameMessage, [undefined, null, 7, '', ' X ', { $gt: '' }]],
  [
    'password',
    passwordMessage,
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
      { $gt: '' },
    ],
  ],
  ['plan', 'Invalid subscription plan', ['', 'gold', 'FREE', 'freelance2', '__proto__']],
  ['acceptTerms', termsMessage, [undefined, null, false, 'true', 1]],
];

test.for(invalidFields)(
  'an invalid %s is refused and creates no account',
  async ([field, message, values], { stack }) => {
    const before = await stack.models.profiles.countDocuments();
    for (const value of values) {
      expectError(await signUp(stack, { ...valid(), [field]: value }), 'VALIDATION', { field, message });
    }
    expect(await stack.models.profiles.countDocuments()).toBe(before);
  },
);

test('an unknown field is refused, such as a balance', async ({ stack }) => {
  for (const field of ['credits', 'generations_left', 'role', '_id', 'email_verified']) {
    const message = 'Invalid registration data';
    expectError(await signUp(stack, { ...valid(), [field]: 1_000 }), 'VALIDATION', { field, message });
  }
});

test('addresses are stored in lower case, and plans by their name', async ({ stack }) => {
  const email = newAddress();
  const form = { ...valid(), email: ` ${email.toUpperCase()} `, plan: ' Enterprise ' };
  expect(await signUp(stack, form)).toMatchObject({ status: 202 });
  expect(await profileOf(stack, email)).toMatchObject({ email, subscription_plan: 'enterprise' });
});

test('a sign-up creates profile and settings with their defaults, and grants no images before a payment', async ({
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
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('the theme that was chosen before the sign-up becomes the theme of the account; a newer sign-up brings its own', async ({
  stack,
}) => {
  const email = newAddress();
  const themeAfter = async (chosen: object) => {
    expect(await signUp(stack, { ...valid(), email, ...chosen })).toMatchObject({ status: 202 });
    const { _id } = (await profileOf(stack, email))!;
    const { dark_mode, preferences } = (await stack.models.userSettings.findById(_id).lean())!;
    return { dark_mode, theme: preferences.theme };
  };
  expect(await themeAfter({ theme: 'dark' })).toEqual({ dark_mode: true, theme: 'dark' });
  expect(await themeAfter({ theme: 'light' })).toEqual({ dark_mode: false, theme: 'light' });
  expect(await themeAfter({})).toEqual({ dark_mode: false, theme: 'system' });
  expect(await signUp(stack, { ...valid(), theme: 'pink' })).toMatchObject({
    status: 400,
    body: { error: { field: 'theme' } },
  });
});

async function signedUp(stack: TestStack, plan: 'freelance' | 'enterprise') {
  const form = valid({ plan });
  expect(await signUp(stack, form)).toMatchObject({ status: 202 });
  return form;
}

test('concurrent sign-ups with one address in different spellings create one account', async ({ stack }) => {
  const email = newAddress();
  const spelling = (index: number) => (index % 2 === 0 ? email : ` ${email.toUpperCase()}`);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => signUp(stack, valid({ email: spelling(index) }))),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202));
  const profiles = await stack.models.profiles.find({ email }).lean();
  expect(profiles).toHaveLength(1);
  expect(await stack.models.users.find({ email }).lean()).toMatchObject([{ _id: profiles[0]!._id }]);
  // The other sign-ups left no profile and no settings.
  const counts = await Promise.all([
    stack.models.profiles.countDocuments(),
    stack.models.userSettings.countDocuments(),
    stack.models.users.countDocuments(),
  ]);
  expect(new Set(counts).size, counts.join(', ')).toBe(1);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a sign-up that is no object has invalid registration data', async ({ stack }) => {
  const message = 'Invalid registration data';
  for (const body of [null, 7, 'a', []]) {
    expectError(await createVisitor(stack.url).post(paths.accounts, body), 'VALIDATION', { message });
  }
  expectError(await signUp(stack, { ...valid(), plan: 7 }), 'VALIDATION', {
    message: 'Invalid subscription plan',
    field: 'plan',
  });
});

test('a sign-up whose account or mail cannot be stored says so, and can be tried again', async ({
  stack,
}) => {
  const { profiles, accountTokens } = modelsOf(stack.server.context.db);
  for (const [model, code, message] of [
    [profiles, 'ACCOUNT_NOT_CREATED', 'Failed to create user account'],
    [accountTokens, 'SIGN_UP_FAILED', 'An error occurred during signup'],
  ] as const) {
    const form = valid();
    const { insertOne } = model.collection;
    model.collection.insertOne = () => Promise.reject(new Error('the database refused the row'));
    expectError(await signUp(stack, form), code, { message });
    model.collection.insertOne = insertOne;
    expect(await signUp(stack, form)).toMatchObject({ status: 202 });
    expect(await profileOf(stack, form.email)).toMatchObject({ full_name: form.fullName });
  }
});
