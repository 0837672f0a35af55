import type { Protection, ProtectionName, SecurityLevel } from '#contract';

/** What is known about the protection of an account. */
export interface ProtectionFacts {
  /** As it is stored. */
  level: SecurityLevel;
  app: boolean;
  passkeys: number;
  /** Recovery codes that are not used yet. */
  recoveryCodes: number;
  /** Whether the address is confirmed, and mail to it does not come back. */
  reachable: boolean;
  /** Whether the seller is told of sign-ins on new devices. */
  securityEmails: boolean;
  passwordChangedAt: Date;
}

/** With fewer, a lost phone or passkey soon locks its owner out. */
const enoughRecoveryCodes = 3;

/** Age from which on a new password is advised. Where passwords expire, none is that old. */
const oldPasswordMs = 365 * 86_400_000;

/** How well an account is protected, and what would raise it or help. Recovery codes exist only with a second factor. */
export function protectionOf(facts: ProtectionFacts, now: Date): Protection {
  const { level, app, passkeys, recoveryCodes, passwordChangedAt } = facts;
  const isHigh = level === 'high';
  const step = (name: ProtectionName, isDone: boolean, otherwise: 'raises' | 'advised' = 'advised') =>
    ({ name, state: isDone ? 'done' : otherwise }) as const;
  return {
    level,
    steps: [
      step('second-factor', isHigh, 'raises'),
      ...(isHigh ? [step('recovery-codes', recoveryCodes >= enoughRecoveryCodes)] : []),
      step('reachable-address', facts.reachable),
      step('security-emails', facts.securityEmails),
      step('recent-password', now.getTime() - passwordChangedAt.getTime() < oldPasswordMs),
    ],
    app,
    passkeys,
    recoveryCodes,
    passwordChangedAt: passwordChangedAt.toISOString(),
  };
}
