import { expect, test, vi } from 'vitest';
import { hashPassword, isSamePassword, verifyPassword } from '#server/accounts/passwords/passwords.ts';

const work = vi.hoisted(() => ({ hashes: 0 }));

vi.mock('@node-rs/argon2', () => ({
  hash: async (text: string) => {
    work.hashes += 1;
    return `hash of ${text}`;
  },
  verify: async (stored: string, text: string) => {
    work.hashes += 1;
    return stored === `hash of ${text}`;
  },
}));

const composed = 'Café-7'.normalize('NFC');
const decomposed = composed.normalize('NFD');

test('a hash is made of the composed spelling', async () => {
  expect(await hashPassword(decomposed, 'test')).toBe(`hash of ${composed}`);
});

test('the work for a wrong password depends only on what was typed, not on the account', async () => {
  for (const typed of ['Horse-7', composed, decomposed]) {
    const done: number[] = [];
    for (const stored of [null, 'Stored-7', 'Störed-7'.normalize('NFC'), 'Störed-7'.normalize('NFD')]) {
      const user = stored === null ? null : { password_hash: `hash of ${stored}` };
      work.hashes = 0;
      expect(await verifyPassword(user, typed, 'test')).toBe(false);
      done.push(work.hashes);
    }
    expect(new Set(done), typed).toEqual(new Set([1]));
  }
});

test('passwords are the same however they were typed, and case counts', () => {
  expect(isSamePassword(composed, decomposed)).toBe(true);
  expect(isSamePassword(composed, composed.toLowerCase())).toBe(false);
});
