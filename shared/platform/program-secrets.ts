import { randomBytes } from 'node:crypto';
import type { GivenSettings, SettingName } from './settings.ts';

/**
 * The secrets that a program does not need, so that whoever takes it over does not get them. A test compares both tables
 * with who reads what (scripts/settings/readers.full.test.ts).
 */
const unneeded = {
  server: ['OPENAI_API_KEY', 'SMTP_URL'],
  worker: ['SESSION_SECRET', 'SEALING_KEYS', 'STRIPE_WEBHOOK_SECRET', 'MAIL_WEBHOOK_SECRET'],
} as const satisfies Record<string, readonly SettingName[]>;

/** The other settings that production checks and that a program never reads. */
const unread = {
  server: ['MAIL_FROM'],
  worker: ['CONTACT_ADDRESS'],
} as const satisfies Record<keyof typeof unneeded, readonly SettingName[]>;

/** A program that is started with the settings. */
export type Program = keyof typeof unneeded;

/** Values for the secrets that a program does not need, and need not be given: they are valid, and open nothing. */
export function unneededSecretsOf(program: Program): GivenSettings {
  const values = unneeded[program].map((name) => {
    const value = name === 'SMTP_URL' ? 'smtp://not-given.invalid' : randomBytes(32).toString('hex');
    return [name, value] as const;
  });
  return Object.fromEntries(values);
}

/** The settings that production does not check for a program, because it never reads them. */
export const uncheckedOf = (program: Program): readonly SettingName[] => [
  ...unneeded[program],
  ...unread[program],
];
