import { expect, it } from 'vitest';
import { fieldOrder, signUpFormSchema } from './sign-up-form.ts';

const valid = {
  email: ' Ana@Shop.example ',
  fullName: 'Ana María O’Neil',
  password: 'Studio-light-7',
  confirmation: 'Studio-light-7',
  plan: 'freelance',
  acceptTerms: true,
};

const messages = (form: object) => {
  const read = signUpFormSchema.safeParse({ ...valid, ...form });
  const issues = read.success ? [] : read.error.issues;
  return fieldOrder.flatMap((field) => issues.find((issue) => issue.path[0] === field)?.message ?? []);
};

it('accepts a valid form and normalises it', () => {
  expect(signUpFormSchema.parse(valid)).toMatchObject({ email: 'ana@shop.example', plan: 'freelance' });
});

it('reports everything that is wrong, in the documented order', () => {
  expect(
    messages({
      email: 'ana@',
      fullName: '<A1>',
      password: 'short',
      confirmation: 'other',
      acceptTerms: false,
    }),
  ).toEqual([
    'Please enter a valid email address',
    'Please enter a valid name',
    'Password does not meet security requirements',
    'Passwords do not match',
    'You must accept the terms and conditions',
  ]);
});

it('requires a matching confirmation', () => {
  expect(messages({ confirmation: 'Studio-light-8' })).toEqual(['Passwords do not match']);
});
