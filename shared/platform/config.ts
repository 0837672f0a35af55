import { z } from 'zod';
import { readEnvironment } from './environment.ts';
import { productionProblems } from './production.ts';

const milliseconds = (fallback: number) => z.coerce.number().int().min(1).default(fallback);
const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback);
const url = (...schemes: string[]) =>
  z.string().refine((text) => schemes.some((scheme) => text.startsWith(`${scheme}://`)), {
    error: `must start with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  });

/** Whether a text is a scheme, a host and perhaps a port, and nothing else but a last slash. */
function isOrigin(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { hostname, pathname, search, hash, username } = new URL(text);
  return hostname !== '' && `${pathname}${search}${hash}${username}` === '/';
}

/** Every setting of Packshot: its environment variable, its default and what it means. README shows the same table. */
const settings = z.object({
  MONGODB_URL: url('mongodb', 'mongodb+srv'),
  QUEUE_URL: url('redis', 'rediss', 'postgres', 'postgresql'),
  QUEUE_NAME: z
    .string()
    .regex(/^[a-z0-9_]+$/, { error: 'takes a-z, 0-9 and _' })
    .default('generations'),
  STORAGE_FOLDER: z.string().min(1),
  STORAGE_RESERVE_MB: z.coerce.number().int().min(0).default(256),
  SESSION_SECRET: z.string().min(32, { error: 'must have at least 32 characters' }),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3_000),
  NODE_ENV: z.string().default('development'),
  TRY_OUT: z.stringbool({ error: 'takes true or false' }).default(false),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, { error: 'must be http:// or https:// with a host, without a path' })
    .optional(),
  ALLOW_HTTP: z.stringbool({ error: 'takes true or false' }).default(false),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).default(0),
  NETWORK_LIMIT_FACTOR: z.coerce.number().positive().default(1),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  OPENAI_API_KEY: z.string().min(1),
  OPENAI_BASE_URL: url('http', 'https').optional(),
  IMAGE_PROVIDER: z.enum(['openai', 'local']).default('openai'),
  IMAGE_MODEL: z.string().default('gpt-image-2.5-flare'),
  IMAGE_PREVIEWS: z.coerce.number().int().min(1).max(3).default(2),
  PROVIDER_TIMEOUT_MS: milliseconds(600_000),
  // Below the five minutes after which Node's fetch gives up a silent answer by itself.
  PROVIDER_STALL_MS: z.coerce.number().int().min(1).max(290_000).default(120_000),
  PROVIDER_ATTEMPTS: count(3),
  PROVIDER_BACKOFF_MS: milliseconds(2_000),
  PROVIDER_BUSY_WAIT_MS: milliseconds(3_600_000),
  PROVIDER_ACCOUNT_WAIT_MS: milliseconds(86_400_000),
  WORKER_CONCURRENCY: count(4),
  WORKER_LOCK_MS: milliseconds(30_000),
  WORKER_GRACE_MS: milliseconds(25_000),
  UPKEEP_INTERVAL_MS: milliseconds(15_000),
  STRIPE_SECRET_KEY: z.string().min(1),
  STRIPE_WEBHOOK_SECRET: z.string().min(1),
  STRIPE_API_URL: url('http', 'https').optional(),
  PAST_DUE_GRACE_DAYS: z.coerce.number().int().min(0).max(30).default(3),
  FAIR_USE_MONTHLY: count(3_000),
  SMTP_URL: url('smtp', 'smtps'),
  MAIL_FROM: z.string().min(3).default('Packshot <no-reply@packshot.example>'),
});

export type Settings = z.infer<typeof settings>;
export type SettingName = keyof Settings;

/** The settings in camel case, with what follows from them. */
export interface Config {
  mongodbUrl: string;
  queueUrl: string;
  queueName: string;
  /** Folder that holds photos and images; every server and worker must see the same one. */
  storageFolder: string;
  /** Room in it, in bytes, that uploads leave for the images being made; workers need a quarter of it to begin one. */
  storageReserveBytes: number;
  sessionSecret: string;
  host: string;
  port: number;
  /** Whether this is for trying Packshot out: then nothing about it needs to be safe, and every page says so. */
  tryOut: boolean;
  /** Whether strangers are to be served: then no demo seller may have an account (shared/platform/production.ts). */
  production: boolean;
  /** Address that browsers use, without a path; undefined when it is the one that the server listens on. */
  publicUrl: string | undefined;
  /** Whether browsers reach it by https alone: cookies and headers then say so. */
  secure: boolean;
  /** Start of the links in mails and of the ways back from Stripe: the public address, else the one listened on. */
  linkUrl: string;
  /** Proxies in front of the server whose X-Forwarded-For is believed. */
  trustedProxies: number;
  /** Multiplies the limits by network address. */
  networkLimitFactor: number;
  logLevel: Settings['LOG_LEVEL'];
  image: {
    provider: Settings['IMAGE_PROVIDER'];
    apiKey: string;
    baseUrl: string | undefined;
    model: string;
    /** Previews asked for in one call. */
    previews: number;
    /** Longest provider call, in ms. */
    timeoutMs: number;
    /** Longest silence of a streaming provider, in ms. */
    stallMs: number;
    /** Most calls for one generation that may have been executed, the first one included. */
    attempts: number;
    /** Wait before the first retry, in ms; doubles each time. A provider that refuses is left alone for so long at first. */
    backoffMs: number;
    /** How long a generation waits for a provider that takes no calls, in ms: the longest by why it takes none. */
    longestWaitMs: { busy: number; account: number };
  };
  worker: {
    concurrency: number;
    /** How long a job stays with a worker that no longer renews it, in ms. */
    lockMs: number;
    /** Time that running jobs get to finish after SIGTERM, in ms. */
    graceMs: number;
    upkeepIntervalMs: number;
  };
  billing: {
    secretKey: string;
    webhookSecret: string;
    /** Another server with Stripe's protocol. */
    apiUrl: string | undefined;
    /** How long an overdue plan still works, in ms from the renewal that failed. */
    graceMs: number;
    /** Images that the unlimited plan may make in a month. */
    fairUse: number;
  };
  mail: {
    smtpUrl: string;
    from: string;
  };
}

/** Thrown when settings are missing or wrong: one line for each. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** A host that a server listens on, as it stands in a URL that leads there. */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** The settings that the environment (or `.env`) gives as text, empty ones left out: for deciding what to stand in for. */
export function givenSettings(): Partial<Record<SettingName, string>> {
  const environment = readEnvironment();
  return Object.fromEntries(
    Object.keys(settings.shape)
      .map((name) => [name, environment[name]])
      .filter(([, value]) => value !== undefined && value !== ''),
  );
}

/** How long an overdue plan still works, in ms, as these settings say: for programs that need no others. */
export function graceMsOf({ PAST_DUE_GRACE_DAYS: days }: Partial<Record<SettingName, string>>): number {
  return settings.shape.PAST_DUE_GRACE_DAYS.parse(days) * 86_400_000;
}

/**
 * Reads and checks the settings, once, at the start of a process.
 * @param given settings as text; those of the environment unless given (tests give their own)
 * @throws ConfigError that names every setting that is missing or wrong
 */
export function loadConfig(given: Partial<Record<SettingName, string>> = givenSettings()): Config {
  const read = settings.safeParse(given);
  if (!read.success) {
    const lines = read.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      return given[name as SettingName] === undefined ? `${name} is not set` : `${name}: ${issue.message}`;
    });
    throw new ConfigError(`${lines.join('; ')}. See the table of settings in README.md.`);
  }
  const value = read.data;
  const production = value.NODE_ENV === 'production' && !value.TRY_OUT;
  const unsafe = production ? productionProblems(value) : [];
  if (unsafe.length > 0) {
    throw new ConfigError(`unsafe in production: ${unsafe.join('; ')}. TRY_OUT=true allows it, and says so.`);
  }
  const publicUrl = value.PUBLIC_URL && new URL(value.PUBLIC_URL).origin;
  return {
    mongodbUrl: value.MONGODB_URL,
    queueUrl: value.QUEUE_URL,
    queueName: value.QUEUE_NAME,
    storageFolder: value.STORAGE_FOLDER,
    storageReserveBytes: value.STORAGE_RESERVE_MB * 2 ** 20,
    sessionSecret: value.SESSION_SECRET,
    host: value.HOST,
    port: value.PORT,
    tryOut: value.TRY_OUT,
    production,
    publicUrl,
    secure: publicUrl?.startsWith('https://') ?? false,
    linkUrl: publicUrl ?? `http://${hostInUrl(value.HOST)}:${value.PORT}`,
    trustedProxies: value.TRUSTED_PROXIES,
    networkLimitFactor: value.NETWORK_LIMIT_FACTOR,
    logLevel: value.LOG_LEVEL,
    image: {
      provider: value.IMAGE_PROVIDER,
      apiKey: value.OPENAI_API_KEY,
      baseUrl: value.OPENAI_BASE_URL,
      model: value.IMAGE_MODEL,
      previews: value.IMAGE_PREVIEWS,
      timeoutMs: value.PROVIDER_TIMEOUT_MS,
      stallMs: value.PROVIDER_STALL_MS,
      attempts: value.PROVIDER_ATTEMPTS,
      backoffMs: value.PROVIDER_BACKOFF_MS,
      longestWaitMs: { busy: value.PROVIDER_BUSY_WAIT_MS, account: value.PROVIDER_ACCOUNT_WAIT_MS },
    },
    worker: {
      concurrency: value.WORKER_CONCURRENCY,
      lockMs: value.WORKER_LOCK_MS,
      graceMs: value.WORKER_GRACE_MS,
      upkeepIntervalMs: value.UPKEEP_INTERVAL_MS,
    },
    billing: {
      secretKey: value.STRIPE_SECRET_KEY,
      webhookSecret: value.STRIPE_WEBHOOK_SECRET,
      apiUrl: value.STRIPE_API_URL,
      graceMs: graceMsOf(given),
      fairUse: value.FAIR_USE_MONTHLY,
    },
    mail: { smtpUrl: value.SMTP_URL, from: value.MAIL_FROM },
  };
}
