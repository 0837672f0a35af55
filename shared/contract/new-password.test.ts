import { expect, test } from 'vitest';
import { newPasswordSchema, passwordRulesAttribute, signUpPasswordSchema } from './new-password.ts';

const weak = 'Password does not meet security requirements';
const messageOf = (schema: typeof newPasswordSchema, password: unknown) =>
  schema.safeParse(password).error?.issues[0]?.message ?? null;

test.for<[password: unknown, message: string | null, atSignUp: string | null]>([
  [undefined, 'Please use at least 8 characters', weak],
  ['', 'Please use at least 8 characters', weak],
  ['Short-7', 'Please use at least 8 characters', weak],
  ['no-upper-7', 'Please add an uppercase letter', weak],
  ['No-Digit-x', 'Please add a number', weak],
  ['NoSpecial7', 'Please add a special character, such as !', weak],
  ['NO-LOWER-7', 'Please add a lowercase letter', weak],
  [`Aa-7${'x'.repeat(125)}`, 'Please use at most 128 characters', 'Please use at most 128 characters'],
  [`Aa-7${'x'.repeat(124)}`, null, null],
])('%j', ([password, message, atSignUp]) => {
  expect(messageOf(newPasswordSchema, password)).toBe(message);
  expect(messageOf(signUpPasswordSchema, password)).toBe(atSignUp);
});

test('programs that make passwords are told the rules', () => {
  expect(passwordRulesAttribute).toBe(
    'minlength: 8; maxlength: 128; required: lower; required: upper; required: digit; required: special',
  );
});
