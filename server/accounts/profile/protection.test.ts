import { describe, expect, test } from 'vitest';
import { protections } from '#contract';
import { type ProtectionFacts, protectionOf } from './protection.ts';

const now = new Date('2026-11-27T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

const best: ProtectionFacts = {
  level: 'high',
  app: true,
  passkeys: 1,
  recoveryCodes: 10,
  reachable: true,
  securityEmails: true,
  passwordChangedAt: daysAgo(10),
};
const passwordOnly: ProtectionFacts = {
  ...best,
  level: 'standard',
  app: false,
  passkeys: 0,
  recoveryCodes: 0,
};

/** The steps that are not done, each with what it would do. */
const open = (facts: ProtectionFacts) =>
  protectionOf(facts, now)
    .steps.filter(({ state }) => state !== 'done')
    .map(({ name, state }) => `${name} ${state}`);

describe('protectionOf', () => {
  test('nothing is left to do at the high level with everything', () => {
    expect(open(best)).toEqual([]);
    expect(protectionOf(best, now).steps.map(({ name }) => name)).toEqual([...protections]);
  });

  test('only a second factor raises the level of an account with a password alone, which has no recovery codes', () => {
    expect(open(passwordOnly)).toEqual(['second-factor raises']);
    expect(protectionOf(passwordOnly, now).steps.map(({ name }) => name)).not.toContain('recovery-codes');
  });

  test.for<[changed: Partial<ProtectionFacts>, step: string]>([
    [{ recoveryCodes: 2 }, 'recovery-codes advised'],
    [{ recoveryCodes: 0 }, 'recovery-codes advised'],
    [{ reachable: false }, 'reachable-address advised'],
    [{ securityEmails: false }, 'security-emails advised'],
    [{ passwordChangedAt: daysAgo(365) }, 'recent-password advised'],
  ])('with %j one step is advised, and the level stays', ([changed, step]) => {
    expect(open({ ...best, ...changed })).toEqual([step]);
    expect(protectionOf({ ...best, ...changed }, now).level).toBe('high');
  });

  test.for<Partial<ProtectionFacts>>([
    { recoveryCodes: 3 },
    { passwordChangedAt: daysAgo(364) },
    { app: false },
  ])('with %j nothing is advised', (changed) => {
    expect(open({ ...best, ...changed })).toEqual([]);
  });

  test('it has the facts that the steps are told with', () => {
    expect(protectionOf({ ...best, passkeys: 2, recoveryCodes: 1 }, now)).toMatchObject({
      app: true,
      passkeys: 2,
      recoveryCodes: 1,
      passwordChangedAt: '2026-11-17T12:00:00.000Z',
    });
  });
});
