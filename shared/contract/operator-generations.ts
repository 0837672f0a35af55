import { z } from 'zod';
import { asciiAddress } from './email-address.ts';
import { generationFailureCodes } from './errors.ts';
import { generationStates } from './generation-states.ts';
import { pageQuerySchema } from './generations.ts';
import { operatorReasonSchema } from './operators.ts';

/* Generations as operators see them. */

/** Query of `GET /api/operator/generations`. */
export const operatorGenerationQuerySchema = pageQuerySchema.extend({
  /** An id of a generation, or of a request at the provider. Other conditions are then ignored. */
  id: z.string().trim().max(200).optional(),
  /** The seller's id or whole address. */
  seller: z.string().overwrite(asciiAddress).max(254).optional(),
  state: z.enum(generationStates).optional(),
  failure: z.enum(generationFailureCodes).optional(),
  /** Only those that were submitted until then. */
  until: z.iso.datetime().optional(),
});

/** A generation in the operator's list. */
export const operatorGenerationSchema = z.object({
  id: z.string(),
  sellerId: z.string(),
  /** Empty when the account is gone. */
  sellerEmail: z.string(),
  state: z.enum(generationStates),
  failure: z.enum(generationFailureCodes).nullable(),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
});
export type OperatorGeneration = z.infer<typeof operatorGenerationSchema>;

/** Reply of `GET /api/operator/generations`, newest first. */
export const operatorGenerationListSchema = z.object({
  generations: z.array(operatorGenerationSchema),
  /** Null on the last page. */
  nextCursor: z.string().nullable(),
});
export type OperatorGenerationList = z.infer<typeof operatorGenerationListSchema>;

/** Something that happened to a generation. */
export const lifeEventSchema = z.object({
  /** Null where the time is not stored; its place in the list is right. */
  at: z.iso.datetime().nullable(),
  title: z.string(),
  /** Empty for none. */
  details: z.string(),
  /** Whether it is about something that went wrong. */
  problem: z.boolean(),
});
export type LifeEvent = z.infer<typeof lifeEventSchema>;

/** What an operator can do with a generation. */
export const operatorGenerationActions = ['retry', 'cancel', 'release'] as const;
export type OperatorGenerationAction = (typeof operatorGenerationActions)[number];

/** Reply of `GET /api/operator/generations/:id`. */
export const operatorGenerationViewSchema = operatorGenerationSchema.extend({
  /** The scene description. */
  prompt: z.string(),
  productName: z.string(),
  size: z.string(),
  quality: z.string(),
  batchId: z.string().nullable(),
  /** The trace id, by which the logs have it. */
  traceId: z.string(),
  revision: z.number().int(),
  /** Numbers of files, which are shown after the operator has said why. */
  photos: z.number().int(),
  hasImage: z.boolean(),
  /** Oldest first. */
  life: z.array(lifeEventSchema),
  actions: z.array(z.enum(operatorGenerationActions)),
});
export type OperatorGenerationView = z.infer<typeof operatorGenerationViewSchema>;

/** Body of `POST /api/operator/generations/:id/:action`. */
export const operatorGenerationActionSchema = z.strictObject({
  reason: operatorReasonSchema,
  /** The revision that the operator saw: if the generation has changed since, nothing happens. */
  revision: z.number().int(),
});
export type OperatorGenerationActionBody = z.infer<typeof operatorGenerationActionSchema>;

/** Reply of an action: the generation, and for `retry` the new one. */
export const operatorGenerationReplySchema = z.object({
  generation: operatorGenerationViewSchema,
  retriedAs: z.string().nullable(),
});
export type OperatorGenerationReply = z.infer<typeof operatorGenerationReplySchema>;

/** Reply of `POST /api/operator/generations/:id/photos`: paths of the files, which work for some minutes. */
export const operatorPhotosSchema = z.object({ photos: z.array(z.string()), image: z.string().nullable() });
export type OperatorPhotos = z.infer<typeof operatorPhotosSchema>;
