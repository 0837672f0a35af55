import { Schema } from 'mongoose';
import {
  type EditRecipe,
  generationFailureCodes,
  generationStates,
  imageQualities,
  type PhotoWarning,
  photoSubjects,
  photoWarnings,
  progressStages,
  sceneTemplates,
  waitReasons,
} from '#contract';
import { collection } from '#shared/data/collection.ts';
import { generationOptionsPart } from '#shared/data/options.ts';
import { holdBalances } from '#shared/data/profiles/schema.ts';
import {
  date,
  nullableDate,
  nullableText,
  number,
  optional,
  partOptions,
  type Row,
  rowOptions,
  text,
} from '#shared/data/row.ts';
import { traceSchema } from '#shared/data/trace-schema.ts';
import type { Trace } from '#shared/platform/trace.ts';
import { batchPartSchema } from './batch-part-schema.ts';
import { type Change, changeSchema } from './change-schema.ts';
import { deletionSchema } from './deletion-schema.ts';
import { generationIndexes } from './indexes.ts';
import { type ProductMatch, productMatchSchema } from './product-match-schema.ts';

const storedFile = { key: text, width: number, height: number, bytes: number };

const image = {
  ...storedFile,
  /** Of the file, in hexadecimal. */
  sha256: text,
};

const photo = { ...storedFile, warnings: { type: [String], enum: photoWarnings } };

/** The image of a generation in the storage. */
export interface StoredImage extends Row<typeof image> {}

/** A seller's photo in the storage. */
export interface StoredPhoto extends Row<typeof storedFile> {
  warnings: PhotoWarning[];
}

/** The seller's edits of an image. */
export interface Edits {
  version: number;
  recipe: EditRecipe;
}

const generation = {
  _id: text,
  /** The seller's id. */
  profile: text,
  idempotency_key: text,
  /** SHA-256 over the request's fields and files: tells a repeated request from another one under the same key. */
  fingerprint: text,
  /** The project that it is in. Absent in the seller's default project (shared/data/projects.ts). */
  project: { type: String, ...optional },
  prompt: text,
  product_name: { type: String, default: '' },
  /** The seller's own number of the product. Absent for none. */
  sku: { type: String, ...optional },
  /** What the library is searched and sorted by (search-fields.ts). Absent in a deleted one. */
  words: { type: [String], default: undefined },
  name_key: { type: String, ...optional },
  /** The template that its scene begins with. */
  template: { type: String, enum: sceneTemplates, ...optional },
  /** Images that it costs. */
  count: number,
  /** The seller's setting at the time of the request. */
  quality: { type: String, enum: imageQualities, required: true },
  photos: [new Schema(photo, partOptions)],
  /** The set that stored its photos: a request's first generation, or a batch. */
  photo_set: text,
  /** The request that it belongs to: `id` of the request's first generation. */
  set: { type: new Schema({ id: text, index: number, size: number }, partOptions), required: true },
  /**
   * The network that it was submitted from and the wider ones, as hashes with spaces between them (`countedNetwork`), for a
   * seller without a plan. Removed when it is settled.
   */
  network: { type: String, ...optional },
  /** The trace of the request that submitted it. */
  trace: { type: traceSchema, required: true },
  photos_show: { type: String, enum: photoSubjects, required: true },
  /** How the image is made. */
  options: generationOptionsPart,
  state: { type: String, enum: generationStates, required: true },
  /** Increases by one with each change. */
  revision: { type: Number, default: 0 },
  /** Number of the attempt that may write; each claim takes the next one. */
  fence: { type: Number, default: 0 },
  /** The smallest runs first; among equal ones, the oldest (shared/platform/queue.ts). */
  priority: { type: Number, default: 0 },
  /** When it was enqueued; null in state `receiving`. */
  queued_at: nullableDate,
  /** The balance that its hold was placed on. Only the hold itself decides. Absent before it was enqueued. */
  held_on: { type: String, enum: holdBalances, ...optional },
  /** The lease of its attempt; while it waits, the time before which no other attempt may begin. */
  lease_until: nullableDate,
  progress: {
    type: new Schema(
      {
        stage: { type: String, enum: progressStages, required: true },
        /** At `waiting`: what it waits for. */
        waiting_for: { type: String, enum: waitReasons, ...optional },
        previews: number,
        previews_expected: number,
      },
      partOptions,
    ),
    default: null,
  },
  preview_key: nullableText,
  image: { type: new Schema(image, partOptions), default: null },
  /** How the seller edited the image; its version is the row's revision after the change. Absent if they did not. */
  edits: {
    type: new Schema({ version: number, recipe: { type: Schema.Types.Mixed, required: true } }, partOptions),
    ...optional,
  },
  /** True if the seller marked it as a favourite. */
  favourite: { type: Boolean, ...optional },
  /** The seller deleted it. Absent otherwise. */
  deletion: { type: deletionSchema, ...optional },
  /** Whether the image shows the product of the photos, and where. Absent until it was compared. */
  match: { type: productMatchSchema, ...optional },
  /** The generation whose image this one changes, and the first one of these versions. Absent in a first version. */
  parent: { type: String, ...optional },
  root: { type: String, ...optional },
  change: { type: changeSchema, ...optional },
  /** The generation that this one makes again at no charge. */
  remake_of: { type: String, ...optional },
  /** The generation that makes this one again at no charge; set after that was accepted. */
  remade_by: { type: String, ...optional },
  /** The batch that it belongs to. Absent for all others. */
  batch: { type: batchPartSchema, ...optional },
  failure: {
    type: new Schema(
      {
        code: { type: String, enum: generationFailureCodes, required: true },
        /** The provider's error, for the operator. */
        provider_status: { type: Number, default: null },
        provider_code: nullableText,
        provider_request_id: nullableText,
        detail: { type: String, default: '' },
      },
      partOptions,
    ),
    default: null,
  },
  calls: {
    /** Calls to the provider that may have been executed; refused ones are subtracted again. */
    started: { type: Number, default: 0 },
    /** Calls that the provider refused for now, or did not answer at all. Absent if there were none. */
    refused: { type: Number, ...optional },
    /** When the first call was refused. */
    refused_since: { type: Date, ...optional },
    /** True during a call: if the worker dies then, a call may be lost. */
    under_way: { type: Boolean, default: false },
    /** Calls whose worker died. */
    lost: { type: Number, default: 0 },
    /** Calls that the provider answered with a server error. */
    server_errors: { type: Number, default: 0 },
  },
  /** The call that made the image. */
  provider: {
    type: new Schema(
      { model: text, request_id: nullableText, milliseconds: number, usage: Schema.Types.Mixed },
      partOptions,
    ),
    default: null,
  },
  /** True if it was cancelled while a preview was visible: its image is used. Absent otherwise. */
  charged: { type: Boolean, ...optional },
  /** True while there may be previews in the storage folder: from its first call until they are removed. */
  previews_left: { type: Boolean, ...optional },
  /** True from its end until it is settled; absent otherwise. */
  settlement_due: { type: Boolean, ...optional },
  created_at: date,
  started_at: nullableDate,
  ended_at: nullableDate,
};

/** One generation. The row is the source of truth: a job carries only its id, and events may be lost. */
export interface GenerationRow
  extends Omit<Row<typeof generation>, 'photos' | 'edits' | 'match' | 'change' | 'words' | 'trace'> {
  words?: string[];
  photos: StoredPhoto[];
  trace: Trace;
  edits?: Edits;
  match?: ProductMatch;
  change?: Change;
}

const generationSchema = new Schema<GenerationRow>(generation, { ...rowOptions, minimize: false });
for (const [fields, options] of generationIndexes) generationSchema.index(fields, options);

export const generations = collection<GenerationRow>('generations', generationSchema);
