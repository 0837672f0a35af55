import type { ImagePack } from '#contract';
import type { Company } from '#shared/contract/company.ts';
import { type DailyImages, noDailyImages } from './daily-images.ts';
import { hostInUrl } from './host-in-url.ts';
import { findPrice, isBilled, type ModelPrice, microDollars, parsePrices } from './image-prices.ts';
import { productionProblems } from './production.ts';
import { type Program, uncheckedOf, unneededSecretsOf } from './program-secrets.ts';
import { type Retention, readRetention } from './retention.ts';
import {
  type GivenSettings,
  givenSettings,
  type SettingName,
  type Settings,
  settingsSchema,
} from './settings.ts';
import { checkPresigned, storageLocationOf } from './storage-config.ts';
import { type StorageLocation, StorageUrlError } from './storage-url.ts';

/** The checked settings, and values derived from them. */
export interface Config {
  /** MongoDB, with the name of the database. */
  mongodbUrl: string;
  /** Redis or PostgreSQL, which holds the queue. */
  queueUrl: string;
  queueName: string;
  /** Where photos and images are stored, the same for all servers and workers. */
  storage: StorageLocation;
  /** Whether images go out through the server, or browsers are sent to the storage with short-lived addresses. */
  imageDelivery: Settings['IMAGE_DELIVERY'];
  /** Free space in a folder that uploads leave for generated images, in bytes. Workers need a quarter to start a job. */
  storageReserveBytes: number;
  /** Key that signs the tokens of sessions. */
  sessionSecret: string;
  /** With it, those that are accepted, too, while it is changed. */
  sessionSecrets: readonly string[];
  /** Secrets that seal what is stored (seal.ts): the first one seals, all of them open. */
  sealingSecrets: readonly string[];
  webhooks: {
    /** Secrets that seal those of webhooks: the first one seals, all of them open. */
    keys: readonly string[];
    /** Whether webhooks may call this machine. */
    toLoopback: boolean;
  };
  /** Address and port that the server listens on; port 0 for a free one. */
  host: string;
  port: number;
  /** Address and port of the metrics of this process; null for none. */
  metrics: { host: string; port: number } | null;
  /** Collector that gets the traces of this process, as OTLP over HTTP; undefined for none. */
  otlpEndpoint: string | undefined;
  /** Whether this is a try-out installation: unsafe settings are allowed, and every page says so. */
  tryOut: boolean;
  /** Whether unsafe settings and demo sellers are refused (shared/platform/production.ts). */
  production: boolean;
  /** Origin that browsers use; undefined if it is the address that the server listens on. */
  publicUrl: string | undefined;
  /** Whether browsers use https: sets the Secure attribute of cookies and Strict-Transport-Security. */
  secure: boolean;
  /** Base of links in mails and of return URLs from Stripe. */
  linkUrl: string;
  /** Number of proxies in front of the server whose X-Forwarded-For is trusted. */
  trustedProxies: number;
  /** Multiplies the rate limits per network. */
  networkLimitFactor: number;
  /** Proxy through which addresses of strangers are called; undefined for none. It may contain a password. */
  outboundProxy: string | undefined;
  /** Multiplies the daily budgets of unpaid calls. */
  unpaidCallsFactor: number;
  /** Images that a seller may ask for in a day, by plan. */
  dailyImages: DailyImages;
  /** Images of a seller that moderation may refuse in a day before the seller can ask for no more; 0 for any number. */
  refusalsADay: number;
  /** Whether photos are tried out before anything is made of them. */
  photoChecks: boolean;
  /** Whether visitors without an account may see their photo in scenes. */
  visitorSketches: boolean;
  /** The model that finds products; undefined for the one that comes with the product. */
  cutoutModel: { file: string; family?: 'u2net' | 'isnet' | undefined } | undefined;
  /** The files of the certificate and key that sign images; undefined for none. */
  contentCredentials: { certificate: string; privateKey: string } | undefined;
  logLevel: Settings['LOG_LEVEL'];
  image: {
    provider: Settings['IMAGE_PROVIDER'];
    apiKey: string;
    baseUrl: string | undefined;
    /** Whether calls have a `safety_identifier`. */
    identifiesSellers: boolean;
    model: string;
    /** Previews requested in one call. */
    previews: number;
    /** Longest provider call, in ms. */
    timeoutMs: number;
    /** Longest time without a byte of a provider's stream, from its first event on, in ms. */
    stallMs: number;
    /** Maximum number of calls per generation that may have been executed, the first one included. */
    attempts: number;
    /** Delay before the first retry, in ms; doubles each time. Also the first pause after the provider refuses calls. */
    backoffMs: number;
    /**
     * How long a generation waits at most for a provider that refuses calls, in ms: because it is busy, or because of our
     * account.
     */
    longestWaitMs: { busy: number; account: number };
    /** Calls of all workers to the provider in any minute, and under way at the same time; 0 for no limit. */
    limits: { perMinute: number; inFlight: number };
    /** Prices of models besides the published ones. */
    prices: readonly ModelPrice[];
    /** What all calls of a day (UTC) may cost, in micro-dollars; null for no cap. */
    dailyCap: number | null;
  };
  worker: {
    /** Jobs that one worker runs at the same time. */
    concurrency: number;
    /** How long a worker keeps the lock of a job without renewing it, in ms. */
    lockMs: number;
    /** How long running jobs get to finish after SIGTERM, in ms. */
    graceMs: number;
    /** Pause between two rounds of upkeep, in ms. */
    upkeepIntervalMs: number;
    /** Whether images are compared with their photos. */
    productMatch: boolean;
  };
  /** Images of one batch that are in the queue at the same time. */
  batchWindow: number;
  retention: Retention;
  /** Who runs the installation; undefined for a demonstration. */
  company: Company | undefined;
  /** Free images of a new account; 0 for none. */
  freeImages: number;
  /** Packs of images that are sold once, beside the plans; none by default. */
  imagePacks: readonly ImagePack[];
  billing: {
    secretKey: string;
    webhookSecret: string;
    /** Server to use instead of Stripe's; undefined for Stripe. */
    apiUrl: string | undefined;
    /** Whether Stripe adds tax to the prices of new plans. */
    tax: boolean;
    /** How long an overdue plan still works after the renewal that failed, in ms. */
    graceMs: number;
    /** Images per month that the unlimited plan may generate. */
    fairUse: number;
  };
  mail: {
    smtpUrl: string;
    /** Whether no mail is sent without TLS. */
    requireTls: boolean;
    /** Sender address. */
    from: string;
    /** Secret with which the mail provider reports bounces; undefined for none. */
    webhookSecret: string | undefined;
    /** Where answers to mails go. */
    supportAddress: string;
    /** Where messages of the contact form and applications go. */
    contactAddress: string;
  };
  /** What operators are told of (shared/watch/). */
  alerts: {
    /** Where mails about alerts go; undefined for none. */
    address: string | undefined;
    /** What is called about alerts; undefined for nothing. It may be a secret. */
    webhookUrl: string | undefined;
    /** How long an image may wait, in ms. */
    oldestWaitingMs: number;
    /** Images that may fail, in percent. */
    failurePercent: number;
    /** Images of one seller that moderation may refuse in a day; 0 for any number. */
    refusalsADay: number;
    /** Time between two reminders, in ms. */
    reminderMs: number;
  };
}

/** Settings are missing or not valid. The message is one line for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** The grace period of an overdue plan in ms. @param days the setting PAST_DUE_GRACE_DAYS, as it is given */
export function graceMsOf(days: string | undefined): number {
  return settingsSchema.shape.PAST_DUE_GRACE_DAYS.parse(days) * 86_400_000;
}

/** Where photos and images are stored. @throws ConfigError */
function storageOf(
  given: GivenSettings,
  { IMAGE_DELIVERY: delivery, PUBLIC_URL: publicUrl }: Settings,
): StorageLocation {
  try {
    const storage = storageLocationOf(given);
    if (delivery === 'presigned') checkPresigned(storage, publicUrl);
    return storage;
  } catch (error) {
    throw error instanceof StorageUrlError ? new ConfigError(error.message) : error;
  }
}

/**
 * What calls of a day may cost. It can only be kept where each call has a price.
 * @throws ConfigError
 */
function dailyCapOf(settings: Settings, prices: readonly ModelPrice[]): number | null {
  const { PROVIDER_DAILY_CAP: cap, IMAGE_PROVIDER: provider, IMAGE_MODEL: model } = settings;
  if (cap === undefined) return null;
  const today = new Date().toISOString().slice(0, 10);
  if (isBilled(provider) && !findPrice(prices, model, today)) {
    throw new ConfigError(
      `PROVIDER_DAILY_CAP needs the prices of ${model}, which are not known: add them as IMAGE_PRICES, or remove the cap. See docs/provider.md#prices.`,
    );
  }
  return microDollars(cap);
}

/**
 * Parses and checks the settings, once, when a process starts.
 * @param given settings as text; those of the environment by default
 * @param program that need not be given the secrets of the others; any program needs all unless it is named
 * @throws ConfigError that names every setting that is missing, not valid or unsafe
 */
export function loadConfig(given: GivenSettings = givenSettings(), program?: Program): Config {
  const read = settingsSchema.safeParse({ ...(program && unneededSecretsOf(program)), ...given });
  if (!read.success) {
    const lines = read.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      return given[name as SettingName] === undefined ? `${name} is not set` : `${name}: ${issue.message}`;
    });
    throw new ConfigError(`${lines.join('; ')}. See docs/settings.md.`);
  }
  const value = read.data;
  const production = value.NODE_ENV === 'production' && !value.TRY_OUT;
  const unsafe = production ? productionProblems(value, program && uncheckedOf(program)) : [];
  if (unsafe.length > 0) {
    throw new ConfigError(`unsafe in production: ${unsafe.join('; ')}. TRY_OUT=true allows it, and says so.`);
  }
  const prices = value.IMAGE_PRICES === undefined ? [] : parsePrices(value.IMAGE_PRICES);
  const publicUrl = value.PUBLIC_URL && new URL(value.PUBLIC_URL).origin;
  return {
    mongodbUrl: value.MONGODB_URL,
    queueUrl: value.QUEUE_URL,
    queueName: value.QUEUE_NAME,
    storage: storageOf(given, value),
    imageDelivery: value.IMAGE_DELIVERY,
    storageReserveBytes: value.STORAGE_RESERVE_MB * 2 ** 20,
    sessionSecret: value.SESSION_SECRET[0]!,
    sessionSecrets: value.SESSION_SECRET,
    // The last one opens what was sealed before there were SEALING_KEYS.
    sealingSecrets: [...(value.SEALING_KEYS ?? []), ...value.SESSION_SECRET],
    webhooks: {
      keys: value.WEBHOOK_KEYS ?? ['known to everybody, for development'],
      toLoopback: value.WEBHOOKS_TO_LOOPBACK,
    },
    host: value.HOST,
    port: value.PORT,
    metrics: value.METRICS_PORT === 0 ? null : { host: value.METRICS_HOST, port: value.METRICS_PORT },
    otlpEndpoint: value.OTLP_ENDPOINT,
    tryOut: value.TRY_OUT,
    production,
    publicUrl,
    secure: publicUrl?.startsWith('https://') ?? false,
    linkUrl: publicUrl ?? `http://${hostInUrl(value.HOST)}:${value.PORT}`,
    trustedProxies: value.TRUSTED_PROXIES,
    networkLimitFactor: value.NETWORK_LIMIT_FACTOR,
    outboundProxy: value.OUTBOUND_PROXY,
    unpaidCallsFactor: value.UNPAID_CALLS_FACTOR,
    dailyImages: value.DAILY_IMAGES ?? noDailyImages,
    refusalsADay: value.REFUSALS_A_DAY,
    photoChecks: value.PHOTO_CHECKS,
    visitorSketches: value.PHOTO_CHECKS && value.VISITOR_SKETCHES,
    cutoutModel:
      value.CUTOUT_MODEL === undefined
        ? undefined
        : { file: value.CUTOUT_MODEL, family: value.CUTOUT_MODEL_FAMILY },
    contentCredentials: contentCredentialsOf(value),
    logLevel: value.LOG_LEVEL,
    image: {
      provider: value.IMAGE_PROVIDER,
      apiKey: value.OPENAI_API_KEY,
      baseUrl: value.OPENAI_BASE_URL,
      identifiesSellers: value.OPENAI_SAFETY_IDENTIFIER,
      model: value.IMAGE_MODEL,
      previews: value.IMAGE_PREVIEWS,
      timeoutMs: value.PROVIDER_TIMEOUT_MS,
      stallMs: value.PROVIDER_STALL_MS,
      attempts: value.PROVIDER_ATTEMPTS,
      backoffMs: value.PROVIDER_BACKOFF_MS,
      longestWaitMs: { busy: value.PROVIDER_BUSY_WAIT_MS, account: value.PROVIDER_ACCOUNT_WAIT_MS },
      limits: { perMinute: value.PROVIDER_IMAGES_PER_MINUTE, inFlight: value.PROVIDER_MAX_IN_FLIGHT },
      prices,
      dailyCap: dailyCapOf(value, prices),
    },
    worker: {
      concurrency: value.WORKER_CONCURRENCY,
      lockMs: value.WORKER_LOCK_MS,
      graceMs: value.WORKER_GRACE_MS,
      upkeepIntervalMs: value.UPKEEP_INTERVAL_MS,
      productMatch: value.PRODUCT_MATCH,
    },
    batchWindow: value.BATCH_WINDOW,
    retention: readRetention(value),
    company: companyOf(value),
    freeImages: value.FREE_IMAGES,
    imagePacks: value.IMAGE_PACKS ?? [],
    billing: {
      secretKey: value.STRIPE_SECRET_KEY,
      webhookSecret: value.STRIPE_WEBHOOK_SECRET,
      apiUrl: value.STRIPE_API_URL,
      tax: value.STRIPE_TAX,
      graceMs: graceMsOf(given.PAST_DUE_GRACE_DAYS),
      fairUse: value.FAIR_USE_MONTHLY,
    },
    mail: {
      smtpUrl: value.SMTP_URL,
      requireTls: production && !value.ALLOW_PLAIN_SMTP,
      from: value.MAIL_FROM,
      webhookSecret: value.MAIL_WEBHOOK_SECRET,
      supportAddress: value.SUPPORT_ADDRESS,
      contactAddress: value.CONTACT_ADDRESS,
    },
    alerts: {
      address: value.ALERT_ADDRESS,
      webhookUrl: value.ALERT_WEBHOOK_URL,
      oldestWaitingMs: value.ALERT_OLDEST_WAITING_SECONDS * 1_000,
      failurePercent: value.ALERT_FAILURE_PERCENT,
      refusalsADay: value.ALERT_REFUSALS_A_DAY,
      reminderMs: value.ALERT_REMINDER_HOURS * 3_600_000,
    },
  };
}

/** @throws ConfigError when only one of both is set */
function contentCredentialsOf({
  C2PA_CERTIFICATE: certificate,
  C2PA_PRIVATE_KEY: privateKey,
}: Settings): Config['contentCredentials'] {
  if (certificate !== undefined && privateKey !== undefined) return { certificate, privateKey };
  if (certificate === privateKey) return undefined;
  throw new ConfigError('C2PA_CERTIFICATE and C2PA_PRIVATE_KEY must both be set, or none of them');
}

function companyOf(value: Settings): Company | undefined {
  const { COMPANY_NAME: name, COMPANY_ADDRESS: address, COMPANY_REGISTRATION: registration } = value;
  return name === undefined
    ? undefined
    : { name, address: address ?? null, registration: registration ?? null };
}
