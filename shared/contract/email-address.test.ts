import { domainToASCII } from 'node:url';
import { expect, test } from 'vitest';
import { invalidAddresses, validAddresses } from '#tests/support/names-and-addresses.ts';
import { emailSchema } from './email-address.ts';

test('an address is stored in lower case, with its domain in ASCII as Node makes it', () => {
  for (const [typed, stored] of validAddresses) {
    const address = emailSchema.parse(typed('ana'));
    expect(address).toBe(stored('ana'));
    expect(emailSchema.parse(address)).toBe(address);
    const domain = address.slice(address.lastIndexOf('@') + 1);
    expect(domainToASCII(domain)).toBe(domain);
  }
});

test.for(invalidAddresses)('%j is refused', (address) => {
  const read = emailSchema.safeParse(address);
  expect(read.error?.issues.map(({ message }) => message)).toEqual(['Please enter a valid email address']);
});

test('a mailbox with other letters before the @ is told that we cannot send mail to it', () => {
  for (const address of ['jörg@shop.example', 'иван@пример.рф']) {
    const [issue] = emailSchema.safeParse(address).error!.issues;
    expect(issue!.message).toMatch(/^We can't send email to addresses with letters such as/);
  }
});

test('a long text is refused', () => {
  for (const text of [`a@${' '.repeat(60_000)}b`, `${'\u200b'.repeat(60_000)}a@b.example`]) {
    expect(emailSchema.safeParse(text).success).toBe(false);
  }
});
