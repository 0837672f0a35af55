import { z } from 'zod';

/** How well an account is protected: by its password alone, or by a second factor as well. */
export const securityLevels = ['standard', 'high'] as const;
export type SecurityLevel = (typeof securityLevels)[number];

export const securityLevelOf = (twoFactor: boolean): SecurityLevel => (twoFactor ? 'high' : 'standard');

/** What protects an account besides its password, in the order in which a seller should look at it. */
export const protections = [
  'second-factor',
  'recovery-codes',
  'reachable-address',
  'security-emails',
  'recent-password',
] as const;
export type ProtectionName = (typeof protections)[number];

/** Reply of `GET /api/me/protection`. */
export const protectionSchema = z.object({
  level: z.enum(securityLevels),
  /** `raises`: having it would raise the level; `advised`: it would help, at the same level. */
  steps: z.array(z.object({ name: z.enum(protections), state: z.enum(['done', 'raises', 'advised']) })),
  app: z.boolean(),
  passkeys: z.number().int(),
  /** Recovery codes that are not used yet. */
  recoveryCodes: z.number().int(),
  passwordChangedAt: z.iso.datetime(),
});
export type Protection = z.infer<typeof protectionSchema>;
