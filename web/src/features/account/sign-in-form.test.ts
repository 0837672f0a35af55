import { expect, it } from 'vitest';
import { nothingMore, signInFormSchema, signInRequest } from './sign-in-form.ts';

const typed = {
  email: 'ana@shop.example',
  password: 'Old-light-7',
  code: '',
  newPassword: '',
  confirmation: '',
};

it('asks for address and password alone at first', () => {
  expect(signInFormSchema(nothingMore).safeParse(typed).success).toBe(true);
  expect(signInRequest(typed, nothingMore)).toEqual({ email: 'ana@shop.example', password: 'Old-light-7' });
});

it('asks for the code once the server does, and sends it', () => {
  const needs = { code: true, newPassword: false };
  expect(signInFormSchema(needs).safeParse(typed).error?.issues[0]?.message).toBe('Please enter the code');
  expect(signInRequest({ ...typed, code: '123456' }, needs)).toMatchObject({ code: '123456' });
});

it('asks for a new password twice once the old one has expired', () => {
  const needs = { code: false, newPassword: true };
  const read = (confirmation: string) =>
    signInFormSchema(needs).safeParse({ ...typed, newPassword: 'New-light-8', confirmation });
  expect(read('New-light-9').error?.issues[0]?.message).toBe('Passwords do not match');
  expect(read('New-light-8').success).toBe(true);
  expect(signInRequest({ ...typed, newPassword: 'New-light-8' }, needs)).not.toHaveProperty('confirmation');
});
