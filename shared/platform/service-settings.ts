import { z } from 'zod';
import { asciiAddress, emailSchema, imageProviderNames } from '#contract';
import { readImagePacks } from './image-packs.ts';
import { microDollars, PricesError, parsePrices } from './image-prices.ts';
import { parseQueueUrl, QueueUrlError } from './queue-url.ts';
import { setting } from './setting.ts';
import { parseSmtpUrl, SmtpUrlError } from './smtp-url.ts';

const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback);
const upTo10Thousand = () => z.coerce.number().int().min(0).max(10_000).default(0);
const milliseconds = count;
const longSecret = () => z.string().min(32, { error: 'must have at least 32 characters' });
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
/** Text that a parser reads; what the parser says of another one is the error. */
const readBy = (parse: (text: string) => unknown, Refusal: new (message: string) => Error) =>
  z.string().superRefine((text, context) => {
    try {
      parse(text);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
    }
  });

export const storeSettings = {
  MONGODB_URL: setting(url('mongodb', 'mongodb+srv'), {
    description:
      'MongoDB 6.0 or later, with the database in the path. A standalone server is enough to begin with; three members that hold data survive the loss of one. `serverSelectionTimeoutMS` in it is how long statements wait for a server, such as during an election: 30 s without it.',
    example: 'mongodb://127.0.0.1:27017/packshot',
  }),
  QUEUE_URL: setting(readBy(parseQueueUrl, QueueUrlError), {
    description:
      'Queue and relay: `postgres://…`, `redis://…`, `redis+sentinel://:password@a,b,c/master` or `redis+cluster://a,b,c`; `rediss` instead of `redis` for TLS, with `?ca=` the file of an authority of your own.',
    see: 'docs/decisions/0063-redis-with-sentinels-or-as-a-cluster.md',
    example: 'redis://127.0.0.1:6379',
  }),
  QUEUE_NAME: setting(
    z
      .string()
      .regex(/^[a-z0-9_]+$/, { error: 'takes a-z, 0-9 and _' })
      .default('generations'),
    { description: 'Name of the queue and namespace of the relay.', example: 'images' },
  ),
  STORAGE_URL: setting(z.string(), {
    description:
      'Where photos and images are, the same for all servers and workers: `file:/folder`, or `s3://bucket/prefix?endpoint=https://host&region=name`, without an endpoint for AWS. The marker `.packshot-storage` in it ties it to one database.',
    see: 'docs/decisions/0062-storage-on-s3.md',
    example: 's3://packshot?region=eu-central-1',
  }),
  STORAGE_ACCESS_KEY_ID: setting(z.string().optional(), {
    description: 'Access key of the bucket.',
    without: "what AWS's SDK finds: `AWS_*` variables, shared files, the machine's role",
    example: 'access-key',
  }),
  STORAGE_SECRET_ACCESS_KEY: setting(z.string().optional(), {
    description: 'Secret of that access key.',
    example: 'its-secret',
  }),
  IMAGE_DELIVERY: setting(z.enum(['proxy', 'presigned']).default('proxy'), {
    description:
      '`presigned` sends browsers to the bucket for images, with addresses that work for at most ten minutes: browsers must be able to reach its endpoint.',
  }),
  STORAGE_RESERVE_MB: setting(z.coerce.number().int().min(0).default(256), {
    description:
      'Free space that uploads leave on the disk of a folder for images being made. A worker needs a quarter of it to start one.',
    unit: 'MB',
  }),
};

export const imageServiceSettings = {
  OPENAI_API_KEY: setting(z.string().min(1), {
    description: "The image provider's key.",
    example: 'sk-images',
  }),
  OPENAI_BASE_URL: setting(url('http', 'https').optional(), {
    description: "Another server with OpenAI's API, with `/v1`.",
    without: "OpenAI's",
    example: 'https://images.shop.com/v1',
  }),
  OPENAI_SAFETY_IDENTIFIER: setting(z.stringbool({ error: 'takes true or false' }).default(true), {
    description:
      "Whether calls say, by a hash, which seller they are for, as OpenAI asks for. Off for a server with OpenAI's API that refuses the parameter.",
    see: 'docs/provider.md#request',
  }),
  IMAGE_PROVIDER: setting(z.enum(imageProviderNames).default('openai'), {
    description:
      'Who makes the images. `local` is the local renderer, which the web app shows; `echo` is for tests. Production takes neither.',
  }),
  IMAGE_MODEL: setting(z.string().default('gpt-image-2.5-flare'), {
    description: "The provider's model.",
    example: 'gpt-image-2',
  }),
  IMAGE_PREVIEWS: setting(z.coerce.number().int().min(1).max(3).default(2), {
    description: 'Previews requested in one call.',
    unit: 'previews',
  }),
  PROVIDER_TIMEOUT_MS: setting(milliseconds(600_000), {
    description: 'Longest call to the provider.',
    unit: 'ms',
  }),
  PROVIDER_STALL_MS: setting(milliseconds(120_000), {
    description:
      "Longest time without a byte in a call's stream. It counts from the first event on; until then a call may take nine tenths of `PROVIDER_TIMEOUT_MS`.",
    unit: 'ms',
  }),
  PROVIDER_ATTEMPTS: setting(count(3), {
    description: 'Most calls for one generation. Refused calls do not count.',
    unit: 'calls',
  }),
  PROVIDER_BACKOFF_MS: setting(milliseconds(2_000), {
    description: 'Wait before the first retry. It doubles each time, unless the provider says how long.',
    unit: 'ms',
  }),
  PROVIDER_BUSY_WAIT_MS: setting(milliseconds(3_600_000), {
    description:
      'How long a generation waits for a provider that refuses calls (rate limit, no connection) before it fails.',
    unit: 'ms',
  }),
  PROVIDER_ACCOUNT_WAIT_MS: setting(milliseconds(86_400_000), {
    description: 'The same if the provider refuses the key or the budget is used up.',
    unit: 'ms',
  }),
  PROVIDER_IMAGES_PER_MINUTE: setting(upTo10Thousand(), {
    description:
      'Calls that all workers together make to the provider in any minute, such as the limit of its account. 0 for no limit.',
    unit: 'calls a minute',
    see: 'docs/decisions/0066-flow-control.md',
  }),
  PROVIDER_MAX_IN_FLIGHT: setting(upTo10Thousand(), {
    description: 'Calls of all workers together that are under way at the same time. 0 for no limit.',
    unit: 'calls',
  }),
  PROVIDER_DAILY_CAP: setting(
    z
      .string()
      .refine((text) => (microDollars(text) ?? 0) > 0, {
        error: 'must be more than 0, in US dollars, such as 50 or 12.50',
      })
      .optional(),
    {
      description:
        'What all calls of a day (UTC) may cost. When the next call would pass it, images wait until midnight UTC, or until workers start with another cap. Servers and workers need the same.',
      unit: 'US dollars',
      without: 'no cap',
      see: 'docs/decisions/0099-what-images-cost.md',
      example: '50',
    },
  ),
  IMAGE_PRICES: setting(readBy(parsePrices, PricesError).optional(), {
    description:
      'Prices of models that differ from the published ones, or that are not among them, each from a day on: `MODEL@DAY:TEXT_IN/CACHED_TEXT_IN/IMAGE_IN/CACHED_IMAGE_IN/IMAGE_OUT` in US dollars for a million tokens, with `/TEXT_OUT` where it differs; several are separated by commas.',
    without: 'the published prices',
    see: 'docs/provider.md#prices',
    example: 'gpt-image-3@2027-01-15:5/1.25/8/2/30',
  }),
};

export const billingSettings = {
  STRIPE_SECRET_KEY: setting(z.string().min(1), {
    description: "Stripe's secret key, `sk_…`.",
    example: 'sk_live_key',
  }),
  STRIPE_WEBHOOK_SECRET: setting(z.string().min(1), {
    description:
      "Verifies the signatures of Stripe's events, `whsec_…`. `npm run stripe:setup -- --url https://…` prints it.",
    example: 'whsec_key',
  }),
  STRIPE_API_URL: setting(url('http', 'https').optional(), {
    description: "Another server with Stripe's API. Production refuses it.",
    without: "Stripe's",
    example: 'http://127.0.0.1:12111',
  }),
  STRIPE_TAX: setting(z.stringbool({ error: 'takes true or false' }).default(false), {
    description:
      'Whether Stripe adds tax to the prices, and asks at checkout for the billing address and a tax ID. Stripe Tax must be set up first. Running plans stay as they are.',
    see: 'docs/stripe.md#tax',
  }),
  PAST_DUE_GRACE_DAYS: setting(z.coerce.number().int().min(0).max(30).default(3), {
    description:
      'How long a plan keeps working after a failed renewal. The texts of the site name the default.',
    unit: 'days',
  }),
  FAIR_USE_MONTHLY: setting(count(3_000), {
    description: 'Images on the unlimited plan. The Terms name the default.',
    unit: 'images a month',
  }),
  FREE_IMAGES: setting(z.coerce.number().int().min(0).max(100).default(3), {
    description:
      'Free images of a new account, given when its address is confirmed. The Terms and guides name the default.',
    unit: 'images',
  }),
  IMAGE_PACKS: setting(
    z
      .string()
      .transform((text, context) => {
        const packs = readImagePacks(text);
        if (packs) return packs;
        context.addIssue({
          code: 'custom',
          message:
            'must be up to four packs of images and dollars, such as 20:9,50:19.50; more images cost more',
        });
        return z.NEVER;
      })
      .optional(),
    {
      description:
        'Packs of images that are sold once, beside the plans: images and price in dollars of each, at least 0.50. Set it once every server and worker has the release that knows it; run `npm run stripe:setup` before. Servers and workers need the same.',
      without: 'no packs are sold',
      see: 'docs/credits.md#packs',
      example: '20:9,50:19.50',
    },
  ),
};

const lineOfText = z.string().trim().min(1).max(300);

export const companySettings = {
  COMPANY_NAME: setting(lineOfText.optional(), {
    description: 'Who runs this installation, as the footer, About and Terms say it: the legal name.',
    without: 'these pages say that it is a demonstration',
    example: 'Shop Ltd',
  }),
  COMPANY_ADDRESS: setting(lineOfText.optional(), {
    description: 'Postal address of the company, in one line.',
    without: 'it is left out',
    example: '1 High Street, London, UK',
  }),
  COMPANY_REGISTRATION: setting(lineOfText.optional(), {
    description: 'Register, number and tax ID of the company, where the law asks for them.',
    without: 'it is left out',
    example: 'Companies House 01234567, VAT GB123456789',
  }),
};

export const mailSettings = {
  SMTP_URL: setting(readBy(parseSmtpUrl, SmtpUrlError), {
    description:
      'The mail server: `smtps://…`, or `smtp://…` for TLS by STARTTLS, which production requires; with user name and password, and with `?ca=` the file of an authority of your own.',
    see: 'docs/decisions/0098-mails-are-encrypted-and-can-be-turned-off.md',
    example: 'smtp://127.0.0.1:587',
  }),
  ALLOW_PLAIN_SMTP: setting(z.stringbool({ error: 'takes true or false' }).default(false), {
    description:
      '`true` allows mail without TLS in production, such as to a relay on the same host: passwords and links are then sent in clear.',
  }),
  MAIL_WEBHOOK_SECRET: setting(longSecret().optional(), {
    description:
      'Secret with which the mail provider reports bounces and spam complaints: 32 characters or more.',
    without: 'they cannot be reported',
    see: 'docs/runbook.md#mails-that-come-back',
    example: '93b1c5e0a7d24f688e51d3027fb6ac49',
  }),
  MAIL_FROM: setting(z.string().min(3).default('Packshot <no-reply@packshot.example>'), {
    description: 'Sender of mails.',
    example: 'Packshot <no-reply@shop.com>',
  }),
  SUPPORT_ADDRESS: setting(mailAddress.default('support@packshot.example'), {
    description:
      '`Reply-To` of every mail to sellers and visitors, and what `/.well-known/security.txt` names. An address without a name.',
    example: 'support@shop.com',
  }),
  CONTACT_ADDRESS: setting(mailAddress.default('contact@packshot.example'), {
    description: 'Where messages from the contact page and applications go. An address without a name.',
    example: 'contact@shop.com',
  }),
};

export const alertSettings = {
  ALERT_ADDRESS: setting(mailAddress.optional(), {
    description: 'Where mails about alerts go. An address without a name.',
    without: 'no mail',
    see: 'docs/decisions/0070-alerts.md',
    example: 'operators@shop.com',
  }),
  ALERT_WEBHOOK_URL: setting(
    z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }).optional(),
    {
      description: 'A URL that alerts are posted to as JSON. Its field `text` suits chat services.',
      without: 'no call',
      example: 'https://chat.shop.com/hook',
    },
  ),
  ALERT_OLDEST_WAITING_SECONDS: setting(count(600), {
    description: 'An image that waits longer is an alert.',
    unit: 'seconds',
  }),
  ALERT_FAILURE_PERCENT: setting(z.coerce.number().int().min(1).max(100).default(10), {
    description: 'More failures in a quarter of an hour are an alert.',
    unit: 'percent of the images',
  }),
  ALERT_REFUSALS_A_DAY: setting(z.coerce.number().int().min(0).default(20), {
    description: 'More images of one seller that moderation refuses in a day (UTC) are an alert; 0 for none.',
    unit: 'images',
  }),
  ALERT_REMINDER_HOURS: setting(count(6), {
    description: 'Time between two reminders of an alert.',
    unit: 'hours',
  }),
};
