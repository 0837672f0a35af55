import { z } from 'zod';
import { apiKeyModes } from './api-keys.ts';
import { pageQuerySchema } from './generations.ts';
import { limits } from './limits.ts';

/*
 * Webhooks: what the server tells programs of a seller (docs/decisions/0136-webhooks.md). Programs manage them with an API key,
 * people in Account Settings, by the same schemas.
 */

const pathsAt = (base: string) =>
  ({
    /** GET: 200 `WebhookList`. POST: body `CreateWebhook`, 201 `WebhookWithSecret`. */
    webhooks: base,
    /** GET: 200 `Webhook`. PATCH: body `ChangeWebhook`, 200 `Webhook`. DELETE: 204. */
    webhook: (id: string) => `${base}/${id}`,
    /** POST: a new secret, 200 `WebhookWithSecret`. */
    rotate: (id: string) => `${base}/${id}/rotate`,
    /** POST: sends an event of the type `webhook.test`, 202 `WebhookDelivery`. */
    test: (id: string) => `${base}/${id}/test`,
    /** GET: 200 `WebhookDeliveryList`. */
    deliveries: (id: string) => `${base}/${id}/deliveries`,
    /** POST: sends a delivery again, 202 `WebhookDelivery`. */
    resend: (id: string, deliveryId: string) => `${base}/${id}/deliveries/${deliveryId}/resend`,
  }) as const;

/** Where programs manage webhooks. */
export const v1WebhookPaths = pathsAt('/api/v1/webhooks');
/** Where people do. */
export const webhookPaths = pathsAt('/api/me/webhooks');

/** What a webhook can be told, and how it is said in words. */
export const webhookEvents = {
  'generation.succeeded': 'An image is ready',
  'generation.failed': 'An image failed',
  'generation.cancelled': 'An image was stopped',
  'batch.finished': 'A batch is done',
  'balance.low': 'Few images are left',
} as const;
export type WebhookEvent = keyof typeof webhookEvents;
export const webhookEventNames = Object.keys(webhookEvents) as [WebhookEvent, ...WebhookEvent[]];

/** The event that is only sent when its seller asks for it. */
export const testEvent = 'webhook.test';
export const sentEventNames = [...webhookEventNames, testEvent] as const;
export type SentEvent = (typeof sentEventNames)[number];

/** When a delivery is tried again after each failed try, in seconds: eight tries over a day. Each wait is up to a tenth longer. */
export const webhookWaits = [5, 300, 1_800, 7_200, 14_400, 25_200, 36_000] as const;
export const webhookTries = webhookWaits.length + 1;

const urlSchema = z
  .string({ error: 'Please enter an address' })
  .trim()
  .min(1, { error: 'Please enter an address' })
  .max(limits.webhookUrlCharacters, {
    error: `Please use at most ${limits.webhookUrlCharacters} characters`,
  });
const eventsSchema = z
  .array(z.enum(webhookEventNames))
  .min(1, { error: 'Please choose at least one' })
  .max(webhookEventNames.length);

/** Body of a request for a new webhook. */
export const createWebhookSchema = z.strictObject({
  /** A public address that begins with `https://`. */
  url: urlSchema,
  events: eventsSchema,
  /** What it is told of; with a key always that of the key, without one `live` unless given. */
  mode: z.enum(apiKeyModes).optional(),
});
export type CreateWebhook = z.infer<typeof createWebhookSchema>;

/** Body of a request that changes a webhook: what is not there stays. */
export const changeWebhookSchema = z.strictObject({
  url: urlSchema.optional(),
  events: eventsSchema.optional(),
  /** Whether it is told anything. True also for one that was switched off because it failed. */
  enabled: z.boolean().optional(),
});
export type ChangeWebhook = z.infer<typeof changeWebhookSchema>;

/** Why a webhook is off: its tries failed for `limits.webhookFailingDays`, it answered 410, or its seller switched it off. */
export const webhookOffReasons = ['failing', 'gone', 'seller'] as const;

export const webhookSchema = z.object({
  id: z.string(),
  /** What it is told of: what is real, or what test keys do. */
  mode: z.enum(apiKeyModes),
  url: z.string(),
  events: z.array(z.enum(webhookEventNames)),
  enabled: z.boolean(),
  /** Null while it is enabled. */
  off: z.object({ reason: z.enum(webhookOffReasons), at: z.iso.datetime() }).nullable(),
  /** Since when no try has succeeded; null if the last one did. */
  failingSince: z.iso.datetime().nullable(),
  /** Until when the secret before signs as well; null if it does not. */
  previousSecretUntil: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});
export type Webhook = z.infer<typeof webhookSchema>;

export const webhookListSchema = z.object({ webhooks: z.array(webhookSchema) });
export type WebhookList = z.infer<typeof webhookListSchema>;

/** A webhook with its secret, which only the reply that made it shows. */
export const webhookWithSecretSchema = z.object({ secret: z.string(), webhook: webhookSchema });
export type WebhookWithSecret = z.infer<typeof webhookWithSecretSchema>;

/**
 * Why a try failed.
 * - `status`: it answered something else than 2xx. `redirect`: it sent us elsewhere.
 * - `timeout`: no whole answer within `limits.webhookSeconds`. `unreachable`: no connection, or one that broke.
 * - `certificate`: not trusted. `not-public`: its address is none that we may call.
 */
export const webhookFailures = [
  'status',
  'redirect',
  'timeout',
  'unreachable',
  'certificate',
  'not-public',
] as const;
export type WebhookFailure = (typeof webhookFailures)[number];

/** `waiting`: for its first try or the next one. `failed`: not tried any more. */
export const webhookDeliveryStates = ['waiting', 'delivered', 'failed'] as const;

export const webhookDeliverySchema = z.object({
  id: z.string(),
  /** The header `webhook-id`, the same for each try and each webhook. */
  eventId: z.string(),
  type: z.enum(sentEventNames),
  state: z.enum(webhookDeliveryStates),
  createdAt: z.iso.datetime(),
  /** When it is tried next; null unless it waits. */
  nextTryAt: z.iso.datetime().nullable(),
  /** What is sent, byte for byte. */
  body: z.string(),
  /** The last tries, the oldest first. */
  tries: z.array(
    z.object({
      at: z.iso.datetime(),
      milliseconds: z.number().int(),
      /** Null without an answer. */
      status: z.number().int().nullable(),
      failure: z.enum(webhookFailures).nullable(),
      /** The beginning of the answer. */
      reply: z.string(),
    }),
  ),
});
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;

export const webhookDeliveriesQuerySchema = pageQuerySchema;

export const webhookDeliveryListSchema = z.object({
  deliveries: z.array(webhookDeliverySchema),
  /** Null on the last page. */
  nextCursor: z.string().nullable(),
});
export type WebhookDeliveryList = z.infer<typeof webhookDeliveryListSchema>;
