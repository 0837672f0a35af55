import { z } from 'zod';
import { pageQuerySchema } from './generations.ts';

/* What operators see and do. Everything under `/api/operator` is for accounts with the role (`npm run operator`). */

/** What operators do, as the audit log names it. */
export const operatorActionKinds = [
  'grant-role',
  'revoke-role',
  'show-photos',
  'retry-generation',
  'cancel-generation',
  'release-generation',
  'give-images',
  'take-images',
  'disable-account',
  'enable-account',
  'read-plan',
  'reset-unpaid-calls',
  'pause-queue',
  'resume-queue',
  'drain-queue',
  'retry-failed-jobs',
  'try-provider',
  'send-mail-again',
  'handle-event-again',
  'call-webhook-again',
  'set-banner',
  'remove-banner',
  'ask-two-factor-removal',
  'stop-two-factor-removal',
  'remove-two-factor',
  'export-data',
  'plan-deletion',
  'stop-deletion',
  'delete-account',
  'set-daily-limit',
  'add-note',
] as const;
export type OperatorActionKind = (typeof operatorActionKinds)[number];

/** What an action is on. */
export const operatorTargets = [
  'seller',
  'generation',
  'queue',
  'provider',
  'mail',
  'event',
  'webhook-call',
  'banner',
] as const;
export type OperatorTarget = (typeof operatorTargets)[number];

/** `refused`: it broke a rule and changed nothing; `failed`: something broke during it. */
export const operatorOutcomes = ['done', 'refused', 'failed'] as const;

/** Why an operator does something: required for everything that concerns a seller. */
export const operatorReasonSchema = z
  .string({ error: 'Please say why.' })
  .trim()
  .min(3, { error: 'Please say why.' })
  .max(500, { error: 'Please say why in at most 500 characters.' });

/** Body of actions that need nothing but the reason. */
export const operatorReasonOnlySchema = z.strictObject({ reason: operatorReasonSchema });

/** A line of the audit log. */
export const operatorActionViewSchema = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** The operator's address, or `command line`. */
  operator: z.string(),
  /** For one that the pages of the release before do not know, `enable-account`; then `newerAction` says what it is. */
  action: z.enum(operatorActionKinds),
  newerAction: z.enum(operatorActionKinds).optional(),
  target: z.object({ kind: z.enum(operatorTargets), id: z.string() }),
  /** Empty where none is asked for. */
  reason: z.string(),
  /** What exactly, in words; may be empty. */
  details: z.string(),
  /** Null while it is under way, or if its process died. */
  outcome: z.enum(operatorOutcomes).nullable(),
  /** Why it was refused or failed. */
  problem: z.string().nullable(),
});
export type OperatorActionView = z.infer<typeof operatorActionViewSchema>;

/** Query of `GET /api/operator/actions`. */
export const operatorActionQuerySchema = pageQuerySchema.extend({
  /** Only those on one thing, by its id. */
  target: z.string().max(200).optional(),
});

/** Reply of `GET /api/operator/actions`. */
export const operatorActionListSchema = z.object({
  actions: z.array(operatorActionViewSchema),
  /** Null on the last page. */
  nextCursor: z.string().nullable(),
});
export type OperatorActionList = z.infer<typeof operatorActionListSchema>;

/** What an operator does with the queue; part of the path. */
export const operatorQueueActions = ['pause', 'resume', 'drain', 'retry-failed'] as const;
export type OperatorQueueAction = (typeof operatorQueueActions)[number];

/** Reply of `GET /api/operator/queue`: numbers of jobs. */
export const operatorQueueSchema = z.object({
  /** Whether an operator paused it: workers take no jobs. */
  paused: z.boolean(),
  /** Whether it is held because the provider refuses calls. */
  held: z.boolean(),
  waiting: z.number().int(),
  running: z.number().int(),
  /** To be tried again later. */
  delayed: z.number().int(),
  failed: z.number().int(),
});
export type OperatorQueueView = z.infer<typeof operatorQueueSchema>;
