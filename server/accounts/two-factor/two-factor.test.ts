import { TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { newRecoveryCodes, newSecret, otpauthUri, stepOf } from './two-factor.ts';

/** Base32 of RFC 6238's secret for SHA-1, `12345678901234567890`. */
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

// RFC 6238, appendix B: the last six of its eight digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %i seconds the code of the RFC is accepted, for its step', (seconds, code) => {
  expect(stepOf(rfcSecret, code, new Date(seconds * 1_000))).toBe(Math.floor(seconds / 30));
});

test('only the codes of the current, the previous and the next step are accepted', () => {
  const now = new Date(1_234_567_890_000);
  const step = Math.floor(now.getTime() / 30_000);
  const accepted = [-2, -1, 0, 1, 2].map((steps) => {
    const code = new TOTP({ secret: rfcSecret }).generate({ timestamp: now.getTime() + steps * 30_000 });
    return stepOf(rfcSecret, code, now);
  });
  expect(accepted).toEqual([null, step - 1, step, step + 1, null]);
});

test.each(['', '12345', '1234567', 'abcdef', '28708２', 'k7qf2m9x0hwt'])(
  'refuses what is not a code: %j',
  (code) => {
    expect(stepOf(rfcSecret, code, new Date(59_000))).toBeNull();
  },
);

test('a secret has 160 bits, and its URI names issuer and account', () => {
  const secret = newSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(newSecret()).not.toBe(secret);
  const uri = new URL(otpauthUri(secret, 'ada+shop@example.com'));
  expect(`${uri.protocol}//${uri.host}`).toBe('otpauth://totp');
  expect(decodeURIComponent(uri.pathname)).toBe('/Packshot:ada+shop@example.com');
  expect(uri.searchParams.get('secret')).toBe(secret);
});

test('makes ten different recovery codes and their hashes', () => {
  const { codes, hashes } = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  expect(new Set(hashes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/);
    expect(hashes).not.toContain(code);
  }
});
