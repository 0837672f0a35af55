import { randomBytes } from 'node:crypto';
import type { GivenSettings, SettingName } from './settings.ts';

/** The secrets that a program does not need, so that whoever takes it over does not get them. */
const unneeded = {
  server: ['OPENAI_API_KEY', 'SMTP_URL'],
  worker: ['SESSION_SECRET', 'SEALING_KEYS', 'STRIPE_WEBHOOK_SECRET', 'MAIL_WEBHOOK_SECRET'],
} as const satisfies Record<string, readonly SettingName[]>;

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
