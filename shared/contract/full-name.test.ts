import { expect, test } from 'vitest';
import { dangerousNames, validNames } from '#tests/support/names-and-addresses.ts';
import { contactSchema } from './contact.ts';
import { fullNameSchema } from './full-name.ts';

test('names of people and businesses in any script are accepted as they are', () => {
  expect(validNames.map((name) => fullNameSchema.safeParse(` ${name} `).data)).toEqual(validNames);
});

test('spaces of any kind are one space, and letters with accents have one form', () => {
  expect(fullNameSchema.parse('木村　拓哉')).toBe('木村 拓哉');
  expect(fullNameSchema.parse('Zoe\u0308\u00a0 Lee')).toBe('Zo\u00eb Lee');
});

test.for(Object.entries(dangerousNames))('%s is refused', ([, name]) => {
  const read = fullNameSchema.safeParse(name);
  expect(read.error?.issues.map(({ message }) => message)).toEqual(['Please enter a valid name']);
});

test('the name of a sender, which only we read, may have an address, but nothing that cannot be seen', () => {
  const accepts = (name: string) =>
    contactSchema.safeParse({ name, email: 'a@b.example', subject: 'general', message: 'Hi' }).success;
  expect([...validNames, 'Booking.com (+49 30 1234567)'].filter((name) => !accepts(name))).toEqual([]);
  const unseen = [
    'a line break',
    'NUL',
    'a turned direction',
    'an isolate',
    'a space that nobody sees',
    'a filler',
  ];
  expect(unseen.filter((what) => accepts(dangerousNames[what]!))).toEqual([]);
});
