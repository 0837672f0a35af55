import { z } from 'zod';
import { asciiAddress, emailSchema, limits } from '#contract';
import { readEnvironment } from './environment.ts';
import { isOrigin } from './is-origin.ts';
import { parseQueueUrl, QueueUrlError } from './queue-url.ts';

const milliseconds = (fallback: number) => z.coerce.number().int().min(1).default(fallback);
const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback);
const days = (fallback: number) => z.coerce.number().int().min(0).max(36_500).default(fallback);
const mailAddress = z
  .string()
  .overwrite(asciiAddress)
  .refine((text) => emailSchema.safeParse(text).success, {
    error: 'must be one email address, without a name',
  });
const url = (...schemes: string[]) =>
  z.string().refine((text) => schemes.some((scheme) => text.startsWith(`${scheme}://`)), {
    error: `must start with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  });

/** Every environment variable that is a setting, with its default. README.md and config.ts say what each one means. */
export const settingsSchema = z.object({
  MONGODB_URL: url('mongodb', 'mongodb+srv'),
  QUEUE_URL: z.string().superRefine((text, context) => {
    try {
      parseQueueUrl(text);
    } catch (error) {
      if (!(error instanceof QueueUrlError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
    }
  }),
  QUEUE_NAME: z
    .string()
    .regex(/^[a-z0-9_]+$/, { error: 'takes a-z, 0-9 and _' })
    .default('generations'),
  STORAGE_URL: z.string(),
  STORAGE_ACCESS_KEY_ID: z.string().optional(),
  STORAGE_SECRET_ACCESS_KEY: z.string().optional(),
  IMAGE_DELIVERY: z.enum(['proxy', 'presigned']).default('proxy'),
  STORAGE_RESERVE_MB: z.coerce.number().int().min(0).default(256),
  SESSION_SECRET: z.string().min(32, { error: 'must have at least 32 characters' }),
  SEALING_KEYS: z
    .string()
    .transform((text) => text.split(',').map((key) => key.trim()))
    .refine((keys) => keys.every((key) => key.length >= 32), {
      error: 'must be keys of at least 32 characters, separated by commas',
    })
    .optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3_000),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  OTLP_ENDPOINT: url('http', 'https').optional(),
  NODE_ENV: z.string().default('development'),
  TRY_OUT: z.stringbool({ error: 'takes true or false' }).default(false),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, { error: 'must be http:// or https:// with a host, without a path' })
    .optional(),
  ALLOW_HTTP: z.stringbool({ error: 'takes true or false' }).default(false),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).default(0),
  NETWORK_LIMIT_FACTOR: z.coerce.number().positive().default(1),
  UNPAID_CALLS_FACTOR: z.coerce.number().positive().default(1),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  OPENAI_API_KEY: z.string().min(1),
  OPENAI_BASE_URL: url('http', 'https').optional(),
  IMAGE_PROVIDER: z.enum(['openai', 'local']).default('openai'),
  IMAGE_MODEL: z.string().default('gpt-image-2.5-flare'),
  IMAGE_PREVIEWS: z.coerce.number().int().min(1).max(3).default(2),
  PROVIDER_TIMEOUT_MS: milliseconds(600_000),
  // Less than the five minutes after which Node's fetch aborts a stalled response.
  PROVIDER_STALL_MS: z.coerce.number().int().min(1).max(290_000).default(120_000),
  PROVIDER_ATTEMPTS: count(3),
  PROVIDER_BACKOFF_MS: milliseconds(2_000),
  PROVIDER_BUSY_WAIT_MS: milliseconds(3_600_000),
  PROVIDER_ACCOUNT_WAIT_MS: milliseconds(86_400_000),
  PROVIDER_IMAGES_PER_MINUTE: z.coerce.number().int().min(0).max(10_000).default(0),
  PROVIDER_MAX_IN_FLIGHT: z.coerce.number().int().min(0).max(10_000).default(0),
  SELLER_MAX_IN_FLIGHT: z.coerce.number().int().min(0).max(10_000).default(0),
  WORKER_CONCURRENCY: count(16),
  WORKER_LOCK_MS: milliseconds(30_000),
  WORKER_GRACE_MS: milliseconds(25_000),
  UPKEEP_INTERVAL_MS: milliseconds(15_000),
  BATCH_WINDOW: count(50),
  KEEP_ACTIVITIES_DAYS: days(limits.activityDays),
  KEEP_NOTIFICATIONS_DAYS: days(limits.notificationDays),
  KEEP_EVENTS_DAYS: days(30),
  KEEP_SENT_MAILS_DAYS: days(1),
  KEEP_IMAGES_DAYS: days(0),
  PRODUCT_MATCH: z.stringbool({ error: 'takes true or false' }).default(true),
  STRIPE_SECRET_KEY: z.string().min(1),
  STRIPE_WEBHOOK_SECRET: z.string().min(1),
  STRIPE_API_URL: url('http', 'https').optional(),
  PAST_DUE_GRACE_DAYS: z.coerce.number().int().min(0).max(30).default(3),
  FAIR_USE_MONTHLY: count(3_000),
  FREE_IMAGES: z.coerce.number().int().min(0).max(100).default(3),
  SMTP_URL: url('smtp', 'smtps'),
  MAIL_WEBHOOK_SECRET: z.string().min(32, { error: 'must have at least 32 characters' }).optional(),
  MAIL_FROM: z.string().min(3).default('Packshot <no-reply@packshot.example>'),
  SUPPORT_ADDRESS: mailAddress.default('support@packshot.example'),
  CONTACT_ADDRESS: mailAddress.default('contact@packshot.example'),
  ALERT_ADDRESS: mailAddress.optional(),
  ALERT_WEBHOOK_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }).optional(),
  ALERT_OLDEST_WAITING_SECONDS: count(600),
  ALERT_FAILURE_PERCENT: z.coerce.number().int().min(1).max(100).default(10),
  ALERT_REMINDER_HOURS: count(6),
});

/** The settings, parsed. */
export type Settings = z.infer<typeof settingsSchema>;
export type SettingName = keyof Settings;

/** Settings as text, as the environment has them. */
export type GivenSettings = Partial<Record<SettingName, string>>;

/** The settings that the environment or `.env` sets, without empty ones. */
export function givenSettings(): GivenSettings {
  const environment = readEnvironment();
  return Object.fromEntries(
    Object.keys(settingsSchema.shape)
      .map((name) => [name, environment[name]])
      .filter(([, value]) => value !== undefined && value !== ''),
  );
}
