import { expect, it } from 'vitest';
import { noExtraFields, signInFormSchema, signInRequest } from './use-sign-in-form.ts';

const values = {
  email: 'ana@shop.example',
  password: 'Old-light-7',
  code: '',
  newPassword: '',
  confirmation: '',
};

it('requires only email and password at first', () => {
  expect(signInFormSchema(noExtraFields).safeParse(values).success).toBe(true);
  expect(signInRequest(values, noExtraFields)).toEqual({
    email: 'ana@shop.example',
    password: 'Old-light-7',
  });
});

it('requires the code once the server does, and sends it', () => {
  const required = { code: true, newPassword: false };
  expect(signInFormSchema(required).safeParse(values).error?.issues[0]?.message).toBe(
    'Please enter the code',
  );
  expect(signInRequest({ ...values, code: '123456' }, required)).toMatchObject({ code: '123456' });
});

it('requires a confirmed new password once the old one has expired', () => {
  const required = { code: false, newPassword: true };
  const parse = (confirmation: string) =>
    signInFormSchema(required).safeParse({ ...values, newPassword: 'New-light-8', confirmation });
  expect(parse('New-light-9').error?.issues[0]?.message).toBe('Passwords do not match');
  expect(parse('New-light-8').success).toBe(true);
  const request = signInRequest({ ...values, newPassword: 'New-light-8' }, required);
  expect(request).not.toHaveProperty('confirmation');
});

it('asks to stay signed in only where that was ticked', () => {
  expect(signInRequest({ ...values, staySignedIn: false }, noExtraFields)).not.toHaveProperty('staySignedIn');
  expect(signInRequest({ ...values, staySignedIn: true }, noExtraFields)).toMatchObject({
    staySignedIn: true,
  });
});
