import { Schema } from 'mongoose';
import { batchStates, type PhotoWarning, photoWarnings } from '#contract';
import { collection } from '#shared/data/collection.ts';
import { imageOptionsPart } from '#shared/data/options.ts';
import {
  date,
  nullableDate,
  number,
  optional,
  partOptions,
  type Row,
  rowOptions,
  text,
  traceSchema,
} from '#shared/data/row.ts';

const item = {
  _id: text,
  /** The batch's id. */
  batch: text,
  /** From 0, in the order of the request. */
  index: number,
  sku: { type: String, default: '' },
  /** Amazon's number of the product. Absent for none. */
  asin: { type: String, ...optional },
  name: { type: String, default: '' },
  prompt: text,
  options: imageOptionsPart,
  takes: number,
  /** `url` is the address that `sha256` is of: absent for a file, and where a server of the last release stored the row. */
  photos: [
    new Schema(
      { name: { type: String, default: '' }, sha256: text, url: { type: String, ...optional } },
      partOptions,
    ),
  ],
  /** The images that are still to be enqueued: which take, and the number of the attempt, from 1. */
  queue: [new Schema({ take: number, attempt: number }, partOptions)],
  /** The length of `queue`. */
  waiting: number,
  /** Of the first row of a request that added rows: its idempotency key, and a hash of its rows. */
  added: { type: new Schema({ key: text, fingerprint: text }, partOptions), ...optional },
};

const batch = {
  _id: text,
  /** The seller's id. */
  profile: text,
  /** Chosen by the client: a batch that is sent again is the same one. */
  key: text,
  /** Hash of what the batch was made of: tells a repeated request from another one. */
  fingerprint: text,
  name: text,
  /** The API key that made it, whose images its own are. Absent for the web app. */
  api_key: { type: new Schema({ id: text, name: text }, partOptions), ...optional },
  /** The project that its images are added to. Absent for the seller's default project. */
  project: { type: String, ...optional },
  /** `receiving`: its request is still under way, or its process died; no seller sees it. */
  state: { type: String, enum: ['receiving', ...batchStates] as const, required: true },
  /** How often its images were put on hold: 1 once it was started, one more with each retry. Part of the ids of these holds. */
  round: { type: Number, default: 0 },
  /** The trace of the request that last started it or made failed images again; its images belong to it. */
  trace: { type: traceSchema, ...optional },
  /** The networks that it was last started or continued from, as of generations. Removed when it ends. */
  network: { type: String, ...optional },
  /** When the seller cancelled the rest. Absent if they did not, or have made failed images again since. */
  cancelled_at: { type: Date, ...optional },
  /** Until when its next images wait, because the seller had reached the daily limit. Absent if they do not. */
  waits_until: { type: Date, ...optional },
  /** Why it was paused, if not by the seller. */
  paused_because: { type: String, ...optional },
  rows: number,
  /**
   * Rows that a request adds: decided, and on their way to their own documents. Whatever needs the rows complete finishes that
   * first (`finishAddition`). Absent otherwise.
   */
  adding: { type: [new Schema(item)], ...optional, default: undefined },
  /**
   * Images that are made again: those that are replaced, and the attempts that follow. Decided, and on their way to the rows
   * (`finishRestart`). Absent otherwise.
   */
  again: {
    type: [new Schema({ generation: text, row: number, take: number, attempt: number }, partOptions)],
    ...optional,
    default: undefined,
  },
  /** When images were last made again. */
  restarted_at: { type: Date, ...optional },
  /**
   * What its table takes, and its photos as they are stored, in bytes; after a crash a photo too much. Not changed any more
   * once it is started.
   */
  bytes: number,
  /** Images that it makes if none is cancelled. */
  images: number,
  /** What became of its images, once it has ended: lists need not count them again. Absent while it runs. */
  outcome: {
    type: new Schema({ succeeded: number, failed: number, cancelled: number }, partOptions),
    ...optional,
  },
  /**
   * How many of its finished images are not in the trash and how many the seller approved, as counted at `at`: for an ended batch
   * only, and not for ever (files.ts). Absent until they are asked for, and after each change.
   */
  files: { type: new Schema({ available: number, approved: number, at: date }, partOptions), ...optional },
  /** When a change of images last began that may make other `files`. */
  files_changed_at: { type: Date, ...optional },
  created_at: date,
  started_at: nullableDate,
  ended_at: nullableDate,
};

/** Many products whose images are made together (docs/decisions/0058-batches.md). */
export interface BatchRow extends Row<typeof batch> {}

const batchSchema = new Schema<BatchRow>(batch, rowOptions);
batchSchema.index({ profile: 1, key: 1 }, { unique: true });
batchSchema.index({ profile: 1, created_at: -1, _id: -1 });
// Upkeep continues those that run, and removes those that were never received or started.
batchSchema.index({ state: 1, created_at: 1 });

export const batches = collection<BatchRow>('batches', batchSchema, 'apart');

const deletedBatch = {
  /** The batch's id. */
  _id: text,
  /** The seller's id. */
  profile: text,
  key: text,
  fingerprint: text,
  deleted_at: date,
  /** Null for what is real. */
  remove_at: nullableDate,
};

/** The tombstone of a batch that a program made and that was started: under its key nothing is made again. */
export interface DeletedBatchRow extends Row<typeof deletedBatch> {}

const deletedBatchSchema = new Schema<DeletedBatchRow>(deletedBatch, rowOptions);
deletedBatchSchema.index({ profile: 1, key: 1 }, { unique: true });
deletedBatchSchema.index({ remove_at: 1 }, { expireAfterSeconds: 0 });

export const deletedBatches = collection<DeletedBatchRow>('deleted_batches', deletedBatchSchema, 'apart');

/** A row of a batch: one product. */
export interface BatchItemRow extends Row<typeof item> {}

const batchItemSchema = new Schema<BatchItemRow>(item, rowOptions);
batchItemSchema.index({ batch: 1, index: 1 }, { unique: true });

export const batchItems = collection<BatchItemRow>('batch_items', batchItemSchema, 'apart');

const photo = {
  /** `<id of the batch>-<SHA-256>`. */
  _id: text,
  batch: text,
  /** SHA-256 of the uploaded file. */
  sha256: text,
  /** Its normalised copy; null until it is uploaded. */
  stored: {
    type: new Schema(
      {
        key: text,
        width: number,
        height: number,
        bytes: number,
        warnings: { type: [String], enum: photoWarnings },
      },
      partOptions,
    ),
    default: null,
  },
};

/** A photo of a batch. Several rows may show the same one. */
export interface BatchPhotoRow extends Omit<Row<typeof photo>, 'stored'> {
  stored: (Omit<NonNullable<Row<typeof photo>['stored']>, 'warnings'> & { warnings: PhotoWarning[] }) | null;
}

const batchPhotoSchema = new Schema<BatchPhotoRow>(photo, rowOptions);
batchPhotoSchema.index({ batch: 1 });

export const batchPhotos = collection<BatchPhotoRow>('batch_photos', batchPhotoSchema, 'apart');
