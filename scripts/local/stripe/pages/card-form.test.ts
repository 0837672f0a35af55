import { expect, test } from 'vitest';
import { checkCard, fillTestCard, groupDigits, readCardEntry, testCards } from './card-form.ts';

const now = Date.UTC(2026, 10, 21) / 1000;
const entry = { number: '4242 4242 4242 4242', expiry: '12/29', cvc: '123', name: 'Ana Müller' };

test('accepts a valid card', () => {
  expect(checkCard(entry, now)).toEqual({
    card: { cardNumber: '4242424242424242', expMonth: 12, expYear: 2029, name: 'Ana Müller' },
  });
});

test('every test card is valid now and in two years', () => {
  for (const { number } of testCards) {
    const filled = fillTestCard(number, 'Ana', now);
    expect(checkCard(filled, now).problems).toBeUndefined();
    expect(checkCard(filled, now + 2 * 366 * 86_400).problems).toBeUndefined();
  }
});

test.each([
  ['', 'Your card number is incomplete.'],
  ['4242 4242 4242 424', 'Your card number is incomplete.'],
  ['4242 4242 4242 4241', 'Your card number is invalid.'],
  ['4242 4242 4242 424x', 'Your card number is invalid.'],
  ['42424242424242424242', 'Your card number is invalid.'],
  ['3782 822463 10005', undefined],
])('number %j: %s', (number, problem) => {
  expect(checkCard({ ...entry, number }, now).problems?.number).toBe(problem);
});

test.each([
  ['', "Your card's expiration date is incomplete."],
  ['12', "Your card's expiration date is incomplete."],
  ['13/29', "Your card's expiration date is invalid."],
  ['00/29', "Your card's expiration date is invalid."],
  ['10/26', "Your card's expiration date is in the past."],
  ['11/26', undefined],
  ['11 / 2026', undefined],
  ['1126', undefined],
  ['12/2099', "Your card's expiration year is invalid."],
])('expiry %j: %s', (expiry, problem) => {
  expect(checkCard({ ...entry, expiry }, now).problems?.expiry).toBe(problem);
});

test('the security code has three digits, four for American Express; the name is required', () => {
  expect(checkCard({ ...entry, cvc: '12' }, now).problems).toEqual({
    cvc: "Your card's security code is incomplete.",
  });
  expect(checkCard({ ...entry, number: '378282246310005' }, now).problems).toEqual({
    cvc: "Your card's security code is incomplete.",
  });
  expect(checkCard({ ...entry, name: '' }, now).problems).toEqual({ name: 'Enter the name on the card.' });
});

test('digits are grouped as on the card', () => {
  expect(groupDigits('4242424242424242')).toBe('4242 4242 4242 4242');
  expect(groupDigits('378282246310005')).toBe('3782 822463 10005');
});

test('missing fields are empty, and long fields are truncated', () => {
  expect(readCardEntry({})).toEqual({ number: '', expiry: '', cvc: '', name: '' });
  expect(readCardEntry({ cardNumber: '4'.repeat(10_000) }).number).toHaveLength(200);
});
