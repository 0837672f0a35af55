import { z } from 'zod';
import {
  batchFilesSchema,
  batchImageSchema,
  batchItemsQuerySchema,
  batchProductsSchema,
  batchReportSchema,
  batchRowSchema,
  batchStates,
  makeAgainSchema,
  reviewBatchSchema,
  sha256Schema,
} from './batches.ts';
import { exportPresetIds } from './export-presets.ts';
import { listOf } from './exports.ts';
import { sizeFault } from './generation-options.ts';
import { timeLeftSchema, visibleStateSchema } from './generations.ts';
import { limits } from './limits.ts';
import { projectNameSchema } from './projects.ts';
import { agreedImages, dryRun } from './v1.ts';

/* Version 1 of the API for programs: batches. As v1.ts says, it stays as it is. */

export const v1BatchSchema = z.object({
  id: z.string(),
  name: z.string(),
  projectId: z.string(),
  /** `uploading` until it is started. `ended`: nothing is left to do. */
  state: z.enum(batchStates),
  /** Whether the rest of it was cancelled. */
  cancelled: z.boolean(),
  /** Why it was paused, if not by its seller; null otherwise. */
  pausedBecause: z.string().nullable(),
  /** Until when its next images wait, because the daily limit is reached; null if they do not. */
  waitsUntil: z.iso.datetime().nullable(),
  rows: z.number().int(),
  /** How often it was started, with each time that failed images were made again; 0 before the first. */
  round: z.number().int(),
  /** How many of its images are where: `total` is the sum of the others. */
  images: z.object({
    total: z.number().int(),
    waiting: z.number().int(),
    underWay: z.number().int(),
    succeeded: z.number().int(),
    failed: z.number().int(),
    cancelled: z.number().int(),
  }),
  timeLeft: timeLeftSchema.nullable(),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** When it is removed if it is not started; null once it was. */
  removedAt: z.iso.datetime().nullable(),
});
export type V1Batch = z.infer<typeof v1BatchSchema>;

export const v1BatchPaths = {
  /** POST: body `V1CreateBatch`, 201 `V1Batch`. GET: 200 `V1BatchList`. */
  batches: '/api/v1/batches',
  /** GET: 200 `V1Batch`. DELETE: 204. */
  batch: (id: string) => `/api/v1/batches/${id}`,
  /** GET: 200 `V1BatchRows`. POST: body `V1AddRows`, 200 `V1Batch`. */
  rows: (id: string) => `/api/v1/batches/${id}/rows`,
  /** GET: 200 `V1BatchPhotos`. */
  photos: (id: string) => `/api/v1/batches/${id}/photos`,
  /** PUT: a form with the photo, or body `V1BatchPhotoRequest`, 200 `V1BatchPhotoReply`. */
  photo: (id: string, sha256: string) => `/api/v1/batches/${id}/photos/${sha256}`,
  /** POST `start` and `resume`: body `V1BatchSpend`, 200 `V1Batch`, or `V1Estimate` with `dryRun`. `pause` and `cancel`: 200 `V1Batch`. */
  action: (id: string, action: V1BatchAction) => `/api/v1/batches/${id}/${action}`,
  /** POST: body `V1BatchRetry`, 200 `V1Batch`, or `V1Estimate` with `dryRun`. */
  retry: (id: string) => `/api/v1/batches/${id}/retry`,
  /** POST: body `V1BatchAgain`, 200 `V1Batch`, or `V1Estimate` with `dryRun`. */
  again: (id: string) => `/api/v1/batches/${id}/again`,
  /** POST: body `V1BatchReview`, 200 `V1Batch`. */
  review: (id: string) => `/api/v1/batches/${id}/review`,
  /** GET, query `V1BatchExport`: a ZIP. */
  export: (id: string) => `/api/v1/batches/${id}/export`,
  /** GET, query `V1BatchProducts`: a CSV for a shop system. */
  products: (id: string) => `/api/v1/batches/${id}/products`,
  /** GET: a CSV that says what became of each image. */
  report: (id: string) => `/api/v1/batches/${id}/report`,
} as const;

export const v1BatchActions = ['start', 'pause', 'resume', 'cancel'] as const;
export type V1BatchAction = (typeof v1BatchActions)[number];

const { takes, name: productName, photos: _, ...rowFields } = batchRowSchema.shape;

/** The address of a photo; what it has to be, the fetch says. */
const photoAddressSchema = z.string().min(1).max(2_000);

/** A product: what to make, and of which photos. */
export const v1BatchRowSchema = z
  .strictObject({
    ...rowFields,
    productName,
    /** Images to make of it, a generation each. */
    numImages: takes,
    /** Files by their SHA-256, or public addresses that begin with `https://`. */
    photos: z
      .array(
        z.union([
          z.strictObject({
            sha256: sha256Schema,
            name: z.string().max(limits.fileNameCharacters).default(''),
          }),
          z.strictObject({ url: photoAddressSchema }),
        ]),
      )
      .min(1)
      .max(limits.photos),
  })
  .superRefine(({ width, height }, context) => {
    const fault = sizeFault(width, height);
    if (fault) context.addIssue({ code: 'custom', path: [fault.field], message: fault.message });
  });

/** Body of `POST /api/v1/batches`. */
export const v1CreateBatchSchema = z.strictObject({
  name: projectNameSchema,
  /** The project that its images are added to; the default project unless given. */
  projectId: z.string().max(100).optional(),
  /** None if all of them are added later. */
  rows: z.array(v1BatchRowSchema).max(limits.batchRows).default([]),
});
export type V1CreateBatch = z.input<typeof v1CreateBatchSchema>;

/** Body of `POST /api/v1/batches/<id>/rows`. */
export const v1AddRowsSchema = z.strictObject({
  rows: z.array(v1BatchRowSchema).min(1).max(limits.batchRows),
});
export type V1AddRows = z.input<typeof v1AddRowsSchema>;

export const v1BatchListSchema = z.object({ batches: z.array(v1BatchSchema) });
export type V1BatchList = z.infer<typeof v1BatchListSchema>;

/** The photos that are still to be sent. */
export const v1BatchPhotosSchema = z.object({
  missing: z.array(
    z.object({
      /** Of the file, or of the text of its address. */
      sha256: z.string(),
      /** For people: that of the file, or the beginning of its address. */
      name: z.string(),
      /** Its address, to be sent back as it is; null for a file. */
      url: z.string().nullable(),
      /** The first row that shows it, from 0. */
      row: z.number().int(),
    }),
  ),
});
export type V1BatchPhotos = z.infer<typeof v1BatchPhotosSchema>;

/** Body of `PUT /api/v1/batches/<id>/photos/<sha256>` for an address: that of which the path has the SHA-256. */
export const v1BatchPhotoRequestSchema = z.strictObject({ url: photoAddressSchema });

export const v1BatchPhotoReplySchema = z.object({ photosMissing: z.number().int() });

/** Body of `start` and `resume`. */
export const v1BatchSpendSchema = z.strictObject({ dryRun, maxImages: agreedImages });
export type V1BatchSpend = z.input<typeof v1BatchSpendSchema>;

/** Body of `retry`. */
export const v1BatchRetrySchema = v1BatchSpendSchema.extend({
  /** `round` of the batch as it was read: a request that was carried out already does nothing when it is repeated. */
  round: z.number().int().min(0),
});
export type V1BatchRetry = z.input<typeof v1BatchRetrySchema>;

/** Body of `again`: images of the batch that have ended. */
export const v1BatchAgainSchema = v1BatchRetrySchema.extend({
  generations: makeAgainSchema.shape.images,
});
export type V1BatchAgain = z.input<typeof v1BatchAgainSchema>;

/** Body of `review`: finished images of the batch, and whether they are approved. */
export const v1BatchReviewSchema = z.strictObject({
  generations: reviewBatchSchema.shape.images,
  approved: z.boolean(),
});
export type V1BatchReview = z.input<typeof v1BatchReviewSchema>;

const presetsOfMarketplaces = listOf(z.enum(exportPresetIds), exportPresetIds.length).optional();

/** The files of a batch: each finished image as it was made, or in each of the presets. */
export const v1BatchExportSchema = batchFilesSchema.extend({ presets: presetsOfMarketplaces });

/** The table of its products, with the names of these files. */
export const v1BatchProductsSchema = batchProductsSchema.extend({ presets: presetsOfMarketplaces });

/** The report, with the names of these files. */
export const v1BatchReportSchema = batchReportSchema.extend({ presets: presetsOfMarketplaces });

export const v1BatchRowsQuerySchema = batchItemsQuerySchema;

/** At most `batchRowsPage` rows, in their order. */
export const v1BatchRowsSchema = z.object({
  rows: z.array(
    z.object({
      /** From 0, in the order of the request. */
      index: z.number().int(),
      sku: z.string(),
      asin: z.string().nullable(),
      productName: z.string(),
      prompt: z.string(),
      images: z.array(
        z.object({
          /** Null while it waits, and once it was deleted. */
          generationId: z.string().nullable(),
          /** `waiting` until it has a place in the queue. */
          state: z.union([visibleStateSchema, z.enum(['waiting', 'deleted'])]),
          /** Null unless succeeded. */
          url: z.string().nullable(),
          match: batchImageSchema.shape.match,
          /** Why it failed; null unless failed. */
          failure: z.string().nullable(),
          /** Why it could not be made again, and is as it was; null unless that was the last attempt. */
          againFailure: z.string().nullable(),
          /** Whether it was approved in the review. */
          approved: z.boolean(),
        }),
      ),
    }),
  ),
  /** The row that the next page begins with; null when this is the last one. */
  next: z.number().int().nullable(),
});
export type V1BatchRows = z.infer<typeof v1BatchRowsSchema>;
