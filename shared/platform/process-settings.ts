import { z } from 'zod';
import { limits } from '#contract';
import { readDailyImages } from './daily-images.ts';
import { isOrigin } from './is-origin.ts';
import { setting } from './setting.ts';

const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback);
const milliseconds = count;
const days = (fallback: number, least = 0) =>
  z.coerce.number().int().min(least).max(36_500).default(fallback);
const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);
const factor = () => z.coerce.number().positive().default(1);
const yesOrNo = (fallback: boolean) => z.stringbool({ error: 'takes true or false' }).default(fallback);

/** Secrets of which the first one is used, and all are accepted, so that they can be changed one after the other. */
const secrets = () =>
  z
    .string()
    .transform((text) => text.split(',').map((secret) => secret.trim()))
    .refine((all) => all.every((secret) => secret.length >= 32), {
      error: 'must be secrets of at least 32 characters, separated by commas',
    });

export const secretSettings = {
  SESSION_SECRET: setting(secrets(), {
    description:
      'Signs session tokens: one or more secrets of 32 characters or more, separated by commas, the same for all servers. The first one signs, all are accepted.',
    see: 'docs/runbook.md#rotate-keys',
    example: '5f0c6e2b9d8147a3b1e4f7629c80da35',
  }),
  SEALING_KEYS: setting(secrets().optional(), {
    description:
      'Seals two-factor secrets in the database: one or more keys of 32 characters or more, separated by commas, the same for all servers. The first one seals, all open. Never lose it.',
    without: '`SESSION_SECRET` seals, which production refuses',
    see: 'docs/runbook.md#rotate-keys',
    example: 'c41d7a90e6b8253f1907fd6ac2e85b34',
  }),
  WEBHOOK_KEYS: setting(secrets().optional(), {
    description:
      "Seals the secrets of sellers' webhooks in the database: one or more keys of 32 characters or more, separated by commas, the same for all servers and workers. The first one seals, all open. Never lose it.",
    without: 'a key that everybody knows, which production refuses',
    see: 'docs/runbook.md#rotate-keys',
    example: '7be02f9d4c61a85ef0937d24b6c8e15a',
  }),
};

export const serverSettings = {
  HOST: setting(z.string().default('127.0.0.1'), {
    description: 'Address on which the API server listens; `0.0.0.0` for all.',
    example: '0.0.0.0',
  }),
  PORT: setting(port(3_000), { description: 'Port on which it listens; 0 for a free one.' }),
  PUBLIC_URL: setting(
    z
      .string()
      .refine(isOrigin, { error: 'must be http:// or https:// with a host, without a path' })
      .optional(),
    {
      description:
        'Address that browsers use, without a path, and start of the links in mails. `https://` makes cookies `Secure`.',
      without: '`HOST` and `PORT`',
      example: 'https://shop.com',
    },
  ),
  PHOTO_CHECKS: setting(yesOrNo(true), {
    description:
      'Whether photos are tried out before anything is made of them: whether their product can be cut out, is cut off by the frame, or is held in a hand. It takes a second of processor time for a photo, and memory of a process beside each server.',
    see: 'docs/measured.md#cutouts',
  }),
  VISITOR_SKETCHES: setting(yesOrNo(true), {
    description:
      'Whether visitors without an account may see a photo of theirs in three scenes on the landing page. It needs `PHOTO_CHECKS`. It takes a second of processor time for a photo, when no seller needs it, and up to 500 MB beside each server.',
    see: 'docs/decisions/0125-try-it-without-an-account.md',
  }),
  ALLOW_HTTP: setting(yesOrNo(false), {
    description: '`true` allows a `PUBLIC_URL` with `http://` in production.',
  }),
  TRUSTED_PROXIES: setting(z.coerce.number().int().min(0).default(0), {
    description:
      'Proxies in front of the server whose `X-Forwarded-For` is trusted. Required behind a proxy: else all sellers count as one network.',
    unit: 'proxies',
  }),
  NETWORK_LIMIT_FACTOR: setting(factor(), {
    description:
      'Multiplies the limits per network, such as 100 sign-ins a minute. Raise it if many sellers share one address.',
    unit: 'factor',
  }),
  OUTBOUND_PROXY: setting(
    z
      .string()
      .refine((text) => /^https?:\/\/[^/]+\/?$/.test(text) && URL.canParse(text), {
        error: 'must be http:// or https:// with a host, without a path',
      })
      .optional(),
    {
      description:
        'Proxy (CONNECT) through which servers and workers call the addresses that sellers give, and nothing else. It resolves their names, so it must refuse private addresses itself.',
      without: 'they connect themselves, to public addresses only',
      see: 'docs/runbook.md#addresses-of-strangers',
      example: 'http://proxy.shop.com:4750',
    },
  ),
  WEBHOOKS_TO_LOOPBACK: setting(yesOrNo(false), {
    description:
      'Whether webhooks may call this machine as well, at http and any port, for development and tests. Production refuses it.',
  }),
  UNPAID_CALLS_FACTOR: setting(factor(), {
    description:
      'Multiplies how many calls to the image service a seller may cause in a day without using an image. Raise it while the service returns useless images to everybody. Servers and workers need the same.',
    unit: 'factor',
    see: 'docs/credits.md#unpaid-calls',
  }),
  DAILY_IMAGES: setting(
    z
      .string()
      .transform((text, context) => {
        const read = readDailyImages(text);
        if (read) return read;
        context.addIssue({
          code: 'custom',
          message: 'must be a number, or numbers by plan: free:5,freelance:40',
        });
        return z.NEVER;
      })
      .optional(),
    {
      description:
        'Images that a seller may ask for in a day (UTC): a number for everybody, or one for some plans, with `free` for sellers without a plan that works. Operators can give a seller another limit. Servers and workers need the same.',
      unit: 'images',
      without: 'no limit',
      see: 'docs/credits.md#the-daily-limit',
      example: 'free:5,freelance:40',
    },
  ),
  REFUSALS_A_DAY: setting(z.coerce.number().int().min(0).default(0), {
    description:
      'Images of a seller that moderation may refuse in a day (UTC) before the seller can ask for no more until the next one: the image service suspends accounts for repeated violations. 0 for any number. Servers and workers need the same.',
    unit: 'images',
    see: 'docs/generations.md#refusals',
  }),
};

export const operationSettings = {
  C2PA_CERTIFICATE: setting(z.string().optional(), {
    description:
      'File with the certificate that signs images (Content Credentials), and those between it and its root, as PEM.',
    without: 'images are not signed',
    see: 'docs/decisions/0124-every-file-says-how-it-was-made.md',
    example: '/etc/packshot/c2pa.pem',
  }),
  C2PA_PRIVATE_KEY: setting(z.string().optional(), {
    description: 'File with the key of that certificate, as PEM: EC (P-256, P-384), RSA or Ed25519.',
    example: '/etc/packshot/c2pa.key',
  }),
  CUTOUT_MODEL: setting(
    z.string().startsWith('/', { error: 'must be a path that begins with /' }).optional(),
    {
      description:
        'Another model for salient objects: an ONNX file whose input is `[1, 3, side, side]` and whose first output is `[1, 1, side, side]`, such as ISNet or U²-Net. The product match, the photo checks and the local renderer use it.',
      without: 'the u2netp that comes with Packshot',
      see: 'docs/renderer.md#another-model',
      example: '/models/isnet-general-use.onnx',
    },
  ),
  CUTOUT_MODEL_FAMILY: setting(z.enum(['u2net', 'isnet']).optional(), {
    description: 'How that model wants its input normalised.',
    without: '`isnet` for an input of 1,024 pixels per side, else `u2net`',
  }),
  NODE_ENV: setting(z.string().default('development'), {
    description: '`production`, as in the container images, refuses settings that are unsafe for the public.',
    see: 'docs/decisions/0021-production-refuses-unsafe-settings.md',
    example: 'production',
  }),
  TRY_OUT: setting(yesOrNo(false), {
    description: '`true` allows such settings in production; every page then says "Try-out".',
  }),
  METRICS_PORT: setting(port(0), {
    description:
      'Port of `/metrics` of this process for Prometheus, and of `/healthz` and `/readyz` of a worker; 0 for none. Each server and worker of a machine needs its own; `npm start` gives its worker the next one.',
  }),
  METRICS_HOST: setting(z.string().default('127.0.0.1'), {
    description:
      'Address on which `/metrics` listens: one that only Prometheus reaches, because it asks for no password.',
    example: '10.0.0.1',
  }),
  OTLP_ENDPOINT: setting(
    z
      .string()
      .refine((text) => /^https?:\/\//.test(text), { error: 'must start with http:// or https://' })
      .optional(),
    {
      description: 'OpenTelemetry collector that gets traces as OTLP over HTTP (JSON).',
      without: 'no traces',
      example: 'http://collector:4318',
    },
  ),
  LOG_LEVEL: setting(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'), {
    description: 'The least important lines that are logged.',
  }),
};

export const workerSettings = {
  WORKER_CONCURRENCY: setting(count(16), {
    description: 'Jobs that a worker runs at once. Nearly all of their time they wait for the provider.',
    unit: 'jobs',
  }),
  WORKER_LOCK_MS: setting(milliseconds(30_000), {
    description: 'How long a job stays with a worker that has died.',
    unit: 'ms',
  }),
  WORKER_GRACE_MS: setting(milliseconds(25_000), {
    description: 'Time to finish after SIGTERM. Unfinished generations are handed back.',
    unit: 'ms',
  }),
  UPKEEP_INTERVAL_MS: setting(milliseconds(15_000), {
    description: 'Pause between two rounds of upkeep.',
    unit: 'ms',
  }),
  BATCH_WINDOW: setting(count(50), {
    description:
      'Images of one batch in the queue at the same time: at least as many as all workers make at once.',
    unit: 'images',
  }),
  PRODUCT_MATCH: setting(yesOrNo(true), {
    description:
      'Whether each image is compared with its photos once it is shown. It takes processor time, and memory of a process beside each worker.',
    see: 'docs/measured.md#product-match',
  }),
};

export const retentionSettings = {
  KEEP_IMAGES_DAYS: setting(days(0), {
    description:
      'Days after which the images of a seller whose plan has ended are deleted, with their photos and texts. 0 keeps them until the account is deleted, as the Privacy page, the guide to billing and the FAQ say. Counts for plans that end from then on; the mail about the end names the date.',
    unit: 'days',
    see: 'docs/decisions/0065-retention.md',
  }),
  KEEP_TRASH_DAYS: setting(days(limits.trashDays, 1), {
    description:
      'How long a deleted image stays in the trash, from which it can be restored. The Privacy page and the guides name the default.',
    unit: 'days',
    see: 'docs/decisions/0119-a-trash-of-thirty-days.md',
  }),
  KEEP_ACTIVITIES_DAYS: setting(days(limits.activityDays), {
    description:
      'How long lines of activity logs are kept; 0 here and below for ever. The Privacy page names the defaults.',
    unit: 'days',
  }),
  KEEP_NOTIFICATIONS_DAYS: setting(days(limits.notificationDays), {
    description: 'How long notifications are kept.',
    unit: 'days',
  }),
  KEEP_EVENTS_DAYS: setting(days(30), {
    description:
      "How long Stripe's events are kept after they were handled. Stripe repeats one for three days.",
    unit: 'days',
  }),
  KEEP_COSTS_DAYS: setting(days(400), {
    description:
      "How long it is kept what each call to the image provider cost. The seller's id in it goes with the account.",
    unit: 'days',
    see: 'docs/decisions/0099-what-images-cost.md',
  }),
  KEEP_SENT_MAILS_DAYS: setting(days(1), {
    description: 'How long the record of a sent mail is kept, without its text.',
    unit: 'days',
  }),
};
