import { deflateRawSync } from 'node:zlib';
import { isForProduction } from '#contract';
import type { SettingName, Settings } from './settings.ts';

/** Sellers whose passwords are public: they are in this repository (scripts/start/demo-sellers.ts). */
export const demoAddresses = ['demo@packshot.example', 'studio@packshot.example'] as const;

type Checked = Pick<
  Settings,
  | 'MONGODB_URL'
  | 'PUBLIC_URL'
  | 'ALLOW_HTTP'
  | 'SESSION_SECRET'
  | 'SEALING_KEYS'
  | 'WEBHOOK_KEYS'
  | 'WEBHOOKS_TO_LOOPBACK'
  | 'IMAGE_PROVIDER'
  | 'STRIPE_API_URL'
  | 'STRIPE_SECRET_KEY'
  | 'SMTP_URL'
  | 'MAIL_WEBHOOK_SECRET'
  | 'MAIL_FROM'
  | 'SUPPORT_ADDRESS'
  | 'CONTACT_ADDRESS'
>;

/**
 * Finds settings that are unsafe in production (docs/decisions/0021-production-refuses-unsafe-settings.md).
 * @param unchecked settings that the program never reads, which need not be safe for it
 * @returns one line per problem, which begins with the name of a setting and says what to do; never a secret
 */
export function productionProblems(settings: Checked, unchecked: readonly SettingName[] = []): string[] {
  return problemsOf(settings).filter((problem) => !unchecked.some((name) => problem.startsWith(`${name} `)));
}

function problemsOf(settings: Checked): string[] {
  const { PUBLIC_URL: publicUrl } = settings;
  const problems: string[] = [];
  if (publicUrl === undefined) problems.push('PUBLIC_URL is not set: links in mails would lead nowhere');
  else if (!publicUrl.startsWith('https:') && !settings.ALLOW_HTTP) {
    problems.push('PUBLIC_URL is not https: set ALLOW_HTTP=true if that is meant');
  }
  problems.push(...weakMongodb(settings.MONGODB_URL));
  problems.push(...weakSecrets('SESSION_SECRET', settings.SESSION_SECRET));
  if (settings.SEALING_KEYS === undefined) {
    problems.push(
      'SEALING_KEYS is not set: another SESSION_SECRET would lock out everybody with two-factor sign-in. Make one with `openssl rand -hex 32`',
    );
  }
  problems.push(...weakSecrets('SEALING_KEYS', settings.SEALING_KEYS));
  if (settings.WEBHOOK_KEYS === undefined) {
    problems.push(
      "WEBHOOK_KEYS is not set: everybody knows the key that seals the secrets of sellers' webhooks. Make one with `openssl rand -hex 32`",
    );
  }
  problems.push(...weakSecrets('WEBHOOK_KEYS', settings.WEBHOOK_KEYS));
  if (settings.WEBHOOKS_TO_LOOPBACK) {
    problems.push('WEBHOOKS_TO_LOOPBACK is set: webhooks of sellers could call what runs on this machine');
  }
  const { MAIL_WEBHOOK_SECRET: webhookSecret } = settings;
  problems.push(...weakSecrets('MAIL_WEBHOOK_SECRET', webhookSecret === undefined ? [] : [webhookSecret]));
  if (!isForProduction(settings.IMAGE_PROVIDER)) {
    problems.push(`IMAGE_PROVIDER is ${settings.IMAGE_PROVIDER}, whose images are not for customers`);
  }
  if (settings.STRIPE_API_URL !== undefined)
    problems.push('STRIPE_API_URL is set: payments go to a stand-in');
  if (/^(?:sk|rk)_test_/.test(settings.STRIPE_SECRET_KEY)) {
    problems.push("STRIPE_SECRET_KEY is a key of Stripe's test mode, in which no money moves");
  }
  if (new URL(settings.SMTP_URL).port === mailCatcherPort) {
    problems.push(
      `SMTP_URL has port ${mailCatcherPort}, that of a local mail service, which delivers nothing`,
    );
  }
  for (const name of ['MAIL_FROM', 'SUPPORT_ADDRESS', 'CONTACT_ADDRESS'] as const) {
    if (exampleDomain.test(settings[name])) {
      problems.push(`${name} is at an example domain, where nobody receives mail`);
    }
  }
  return problems;
}

/** What can be guessed of the secrets in a setting. */
const weakSecrets = (name: string, secrets: readonly string[] = []) =>
  secrets
    .map(weaknessOf)
    .filter((problem) => problem !== undefined)
    .map((problem) => `${name} has a secret that ${problem}: make one with \`openssl rand -hex 32\``);

/** What MongoDB's URL may not ask for: images would be counted wrongly after a failover. */
function weakMongodb(url: string): string[] {
  const [address = '', query] = url.split('?');
  const asked = new URLSearchParams(query);
  const weak = (name: string, isFine: (value: string) => boolean, why: string) => {
    const key = [...asked.keys()].find((each) => each.toLowerCase() === name.toLowerCase());
    return key === undefined || isFine(asked.get(key)!.toLowerCase())
      ? []
      : [`MONGODB_URL has ${name}: ${why}`];
  };
  const hasDatabase = /^mongodb(?:\+srv)?:\/\/[^/]+\/.+/.test(address);
  return [
    ...(hasDatabase ? [] : ['MONGODB_URL names no database after the host: everything would go into `test`']),
    ...weak('w', (value) => value === 'majority', 'writes must reach the majority'),
    ...weak('readPreference', (value) => value === 'primary', 'what decides is read from the primary'),
    ...weak('retryWrites', (value) => value === 'true', 'a write must survive a change of the primary'),
    ...weak('journal', (value) => value === 'true', 'an acknowledged write must survive a crash'),
  ];
}

/** An address at a domain that is reserved for examples and tests (RFC 2606, RFC 6761). */
const exampleDomain = /(?:@|\.)(?:example|test|invalid|localhost|example\.(?:com|net|org))>?$/i;

/** The usual port of a mail catcher, also that of the local mail service in containers. */
const mailCatcherPort = '1025';

/** Placeholders for secrets in examples and templates. */
const placeholder = /change.?me|password|secret|example|placeholder|insert|your.?(?:key|token)/i;

/** 32 random hex characters never compress to fewer bytes; they need 24 or more. */
const leastCompressed = 20;

/** @returns why a secret can be guessed; undefined if it looks random */
function weaknessOf(secret: string): string | undefined {
  if (placeholder.test(secret)) return 'looks like a placeholder';
  if (deflateRawSync(secret).length < leastCompressed) return 'repeats itself';
  // `abcdefgh…`, `9876…`: each character is one step from the last.
  const steps = [...secret].filter((character, index) => {
    const last = secret.codePointAt(index - 1);
    return index > 0 && last !== undefined && Math.abs(character.codePointAt(0)! - last) <= 1;
  });
  return steps.length > secret.length / 2 ? 'is a sequence' : undefined;
}
