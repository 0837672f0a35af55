import { z } from 'zod';
import { exportFormats } from './export-presets.ts';
import { presetListSchema } from './exports.ts';
import { optionFields, sizeFault, wholeNumber } from './generation-options.ts';
import { generationStates } from './generation-states.ts';
import {
  asinSchema,
  matchLevels,
  productNameSchema,
  promptSchema,
  skuSchema,
  timeLeftSchema,
} from './generations.ts';
import { limits } from './limits.ts';
import { projectNameSchema } from './projects.ts';

/** SHA-256 of a file, as lower-case hex. */
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

const batchPhotoSchema = z.strictObject({
  /** Of the file as the seller named it; for messages. */
  name: z.string().max(limits.fileNameCharacters),
  sha256: sha256Schema,
});

/** One product of a batch: what to make, and of which photos. */
export const batchRowSchema = z
  .strictObject({
    sku: skuSchema.default(''),
    /** Names files for Amazon. */
    asin: asinSchema.optional(),
    name: productNameSchema.default(''),
    prompt: promptSchema,
    ...optionFields,
    takes: wholeNumber(1, limits.imagesPerRequest).default(1),
    photos: z.array(batchPhotoSchema).min(1).max(limits.photos),
  })
  .superRefine((row, context) => {
    const fault = sizeFault(row.width, row.height);
    if (fault) context.addIssue({ code: 'custom', path: [fault.field], message: fault.message });
  });
export type BatchRow = z.infer<typeof batchRowSchema>;

/** Body of `POST /api/batches`. */
export const createBatchSchema = z.strictObject({
  /** Chosen by the client, the same whenever it sends the batch again: the first request makes the batch, and another batch under it is refused. */
  key: z.string().min(1).max(limits.idempotencyKeyCharacters),
  name: projectNameSchema,
  /** The project that its images are added to; the default project unless given. */
  projectId: z.string().max(100).optional(),
  rows: z.array(batchRowSchema).min(1).max(limits.batchRows),
});
export type CreateBatch = z.input<typeof createBatchSchema>;

/**
 * `uploading`: its photos are being uploaded, nothing is on hold. `running` and `paused`: its images are on hold; paused,
 * those that have not begun wait. `ended`: nothing is on hold any more.
 */
export const batchStates = ['uploading', 'running', 'paused', 'ended'] as const;

/** What a seller can do with a batch. */
export const batchActions = ['start', 'pause', 'resume', 'cancel', 'retry'] as const;
export type BatchAction = (typeof batchActions)[number];

/** How many of its images are where. Their sum is `images`. */
const batchCountsSchema = z.object({
  images: z.number().int(),
  /** Not begun, in the order of the rows. */
  waiting: z.number().int(),
  /** Queued or running. */
  underWay: z.number().int(),
  succeeded: z.number().int(),
  failed: z.number().int(),
  cancelled: z.number().int(),
});
export type BatchCounts = z.infer<typeof batchCountsSchema>;

export const batchSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  projectId: z.string(),
  state: z.enum(batchStates),
  /** Whether the seller cancelled the rest. */
  cancelled: z.boolean(),
  /** Why the worker paused it; null unless it did. */
  pausedBecause: z.string().nullable(),
  /** Until when its next images wait, because the daily limit is reached: then they begin by themselves. Null or absent if they do not. */
  waitsUntil: z.iso.datetime().nullable().optional(),
  rows: z.number().int(),
  counts: batchCountsSchema,
  /** When it is expected to be finished if nothing else is made; null unless it runs and that is known. */
  timeLeft: timeLeftSchema.nullable(),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** When the photos of a batch that was never started are removed, and it with them; null once it was started. */
  removedAt: z.iso.datetime().nullable(),
});
export type BatchSummary = z.infer<typeof batchSummarySchema>;

/** The newest batches of a seller, newest first. */
export const batchListSchema = z.object({ batches: z.array(batchSummarySchema) });
export type BatchList = z.infer<typeof batchListSchema>;

/** An image of a batch. */
export const batchImageSchema = z.object({
  /** Which take of its row, from 0. */
  take: z.number().int(),
  /** Null while it waits. */
  generationId: z.string().nullable(),
  /** `waiting` until it has a place in the queue; `deleted` once the seller deleted it. */
  state: z.enum(['waiting', ...generationStates, 'deleted']),
  /** Null unless succeeded. */
  imageUrl: z.string().nullable(),
  thumbnailUrl: z.string().nullable(),
  /** Why it failed; null unless failed. */
  failure: z.string().nullable(),
  /** Why it could not be made again: it stays as it was. Null unless that was the last attempt. Servers of the last release do not send it. */
  againFailure: z.string().nullable().default(null),
  match: z.enum(matchLevels).nullable(),
  /** Whether the seller approved it. Servers of the last release do not send it. */
  approved: z.boolean().default(false),
});
export type BatchImage = z.infer<typeof batchImageSchema>;

/** A row of a batch, and its images. */
const batchItemSchema = z.object({
  /** From 0, in the order of the request. */
  index: z.number().int(),
  sku: z.string(),
  asin: z.string().optional(),
  name: z.string(),
  prompt: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  photos: z.array(z.object(batchPhotoSchema.shape)),
  images: z.array(batchImageSchema),
});
export type BatchItem = z.infer<typeof batchItemSchema>;

/** A photo that the server does not have, its name, and the first row that shows it, from 0. */
const missingPhotoSchema = z.object({ ...batchPhotoSchema.shape, row: z.number().int() });

export const batchViewSchema = batchSummarySchema.extend({
  /** How many of its finished images are not in the trash. Servers of the last release do not send it. */
  available: z.number().int().optional(),
  /** How many of its images the seller approved. Servers of the last release do not send it. */
  approved: z.number().int().default(0),
  /** All rows, unless the request asks for none: see `batchQuerySchema`. */
  items: z.array(batchItemSchema),
  /** The photos that the server does not have yet; empty once it was started. */
  photosMissing: z.array(sha256Schema),
  missing: z.array(missingPhotoSchema),
});
export type BatchView = z.infer<typeof batchViewSchema>;

/**
 * Query of requests that are answered with a batch: `items=none` leaves its rows out, which are read in pages. Without it the
 * reply has all rows, as pages of an earlier release expect (docs/decisions/0084-what-is-stored-unpaid.md).
 */
export const batchQuerySchema = z.strictObject({ items: z.enum(['none']).optional() });
export const withoutItems = '?items=none';

/** Body of the action `start`: how many images the seller has seen and agreed to. Pages of the last release send none. */
export const startBatchSchema = z.strictObject({ images: z.number().int().min(0) }).nullish();

/** Ids of images of a batch, in any order. */
const batchImageIds = z
  .array(z.string().max(100))
  .min(1)
  .max(limits.batchRows * limits.imagesPerRequest);

/** Body of `POST /api/batches/<id>/review`. */
export const reviewBatchSchema = z.strictObject({ images: batchImageIds, approved: z.boolean() });

/** Body of `POST /api/batches/<id>/again`: images that are made again. */
export const makeAgainSchema = z.strictObject({ images: batchImageIds });

/** Query of `GET /api/batches/<id>/items`: the row that the page begins with, from 0. */
export const batchItemsQuerySchema = z.strictObject({
  from: z.coerce
    .number()
    .int()
    .min(0)
    .max(limits.batchRows - 1)
    .default(0),
});

/** At most `batchRowsPage` rows of a batch, in their order. */
export const batchItemsSchema = z.object({
  items: z.array(batchItemSchema),
  /** The row that the next page begins with; null when this is the last one. */
  next: z.number().int().nullable(),
});
export type BatchItems = z.infer<typeof batchItemsSchema>;

/** Reply of `PUT /api/batches/<id>/photos/<sha256>`. */
export const batchPhotoReplySchema = z.object({ photosMissing: z.number().int() });

/** The pattern of file names unless the seller chooses another. */
export const usualBatchPattern = '{sku}-{n}';

/** Query of `GET /api/batches/<id>/archive`, and what other requests about the files of a batch have as well. */
export const batchFilesSchema = z.strictObject({
  /** The images that the seller approved; all that are finished without it. */
  only: z.enum(['approved']).optional(),
  /** File names without their ending; what stands in braces is replaced, see `batchFileName`. Own presets may have their own. */
  pattern: z.string().trim().min(1).max(limits.fileNameCharacters).default(usualBatchPattern),
  /** Ids of presets, separated by commas: each image in each of them. Without presets, the images as they were made. */
  presets: presetListSchema.optional(),
  /** Format of the preset `original`. */
  format: z.enum(exportFormats).default('png'),
});
export type BatchFilesQuery = z.infer<typeof batchFilesSchema>;

/** Characters of the address under which a seller keeps the files of a batch. */
const baseAddressCharacters = 500;

/** The shop systems whose tables of products can be made. */
export const shopSystems = ['shopify', 'woocommerce'] as const;
export type ShopSystem = (typeof shopSystems)[number];

/** Query of `GET /api/batches/<id>/products`: a table of its products with the files of its archive, in the first of its presets. */
export const batchProductsSchema = batchFilesSchema.extend({
  system: z.enum(shopSystems),
  /** Where the seller puts the files: the beginning of their addresses. Their names alone without it. */
  base: z
    .url({ protocol: /^https?$/ })
    .max(baseAddressCharacters)
    .optional(),
});
export type BatchProductsQuery = z.infer<typeof batchProductsSchema>;

/** What separates the cells of a report. */
const csvDelimiters = [',', ';'] as const;
export type CsvDelimiter = (typeof csvDelimiters)[number];

/** Query of `GET /api/batches/<id>/report`: all images of the batch, with the names of the files in its archive. */
export const batchReportSchema = batchFilesSchema.extend({
  /** A semicolon for spreadsheets of languages that write fractions with a comma. */
  delimiter: z.enum(csvDelimiters).default(','),
});
export type BatchReportQuery = z.infer<typeof batchReportSchema>;
