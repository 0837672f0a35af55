import { z } from 'zod';
import { bannerSchema } from './banner.ts';
import { limits } from './limits.ts';
import { operatorReasonSchema } from './operators.ts';

/* Mails, events of Stripe and calls of the alert webhook that failed, and the banner for sellers, for operators. */

/** A mail that was not delivered. Its text is not shown: it may have links that give access to an account. */
export const operatorMailSchema = z.object({
  id: z.string(),
  /** The template. */
  kind: z.string(),
  to: z.string(),
  subject: z.string(),
  createdAt: z.iso.datetime(),
  attempts: z.number().int(),
  /** Why the last attempt failed. */
  failure: z.string(),
  /** When it is tried again; null if it was given up. */
  nextTryAt: z.iso.datetime().nullable(),
  /** Whether an operator can send it again: it was given up, and its text is still there. */
  canSendAgain: z.boolean(),
});
export type OperatorMail = z.infer<typeof operatorMailSchema>;

/** Reply of `GET /api/operator/mails`. */
export const operatorMailListSchema = z.object({
  /** Mails that are not sent yet, failed ones included. */
  waiting: z.number().int(),
  /** The newest ones that failed. */
  failed: z.array(operatorMailSchema),
});
export type OperatorMailList = z.infer<typeof operatorMailListSchema>;

/** An event of Stripe that was not handled. */
export const operatorEventSchema = z.object({
  id: z.string(),
  type: z.string(),
  customer: z.string().nullable(),
  receivedAt: z.iso.datetime(),
  tries: z.number().int(),
  /** When upkeep tries it again; null if it is due. */
  nextTryAt: z.iso.datetime().nullable(),
});
export type OperatorEvent = z.infer<typeof operatorEventSchema>;

/** Reply of `GET /api/operator/events`: those that are not handled, the oldest first. */
export const operatorEventListSchema = z.object({ events: z.array(operatorEventSchema) });
export type OperatorEventList = z.infer<typeof operatorEventListSchema>;

/** A call of the alert webhook that was not accepted. */
export const operatorWebhookCallSchema = z.object({
  id: z.string(),
  /** What it tells: one line, and what exactly. */
  title: z.string(),
  details: z.string(),
  createdAt: z.iso.datetime(),
  attempts: z.number().int(),
  /** Why the last attempt failed. */
  failure: z.string(),
  /** When it is tried again; null if it was given up. */
  nextTryAt: z.iso.datetime().nullable(),
});
export type OperatorWebhookCall = z.infer<typeof operatorWebhookCallSchema>;

/** Reply of `GET /api/operator/webhook-calls`: the newest ones that failed. */
export const operatorWebhookCallListSchema = z.object({ failed: z.array(operatorWebhookCallSchema) });
export type OperatorWebhookCallList = z.infer<typeof operatorWebhookCallListSchema>;

/** Body of `PUT /api/operator/banner`. */
export const setBannerSchema = z.strictObject({
  text: z
    .string()
    .trim()
    .min(1, { error: 'Please enter a text.' })
    .max(limits.bannerCharacters, { error: `Please enter at most ${limits.bannerCharacters} characters.` }),
  /** When it disappears; null if an operator removes it. */
  until: z.iso.datetime({ error: 'Please enter a date and time.' }).nullable(),
  /** From when, until `until`, no new images are accepted; null for never. */
  closedFrom: z.iso.datetime({ error: 'Please enter a date and time.' }).nullable().default(null),
  reason: operatorReasonSchema,
});
export type SetBanner = z.input<typeof setBannerSchema>;

/** Reply of `GET /api/operator/banner`. */
export const operatorBannerSchema = z.object({ banner: bannerSchema.nullable() });
export type OperatorBanner = z.infer<typeof operatorBannerSchema>;
