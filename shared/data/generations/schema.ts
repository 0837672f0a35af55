import { type IndexDefinition, type IndexOptions, Schema } from 'mongoose';
import {
  type EditRecipe,
  type GenerationView,
  generationFailureCodes,
  generationStates,
  imageProviderNames,
  imageQualities,
  matchLevels,
  type PhotoWarning,
  photoSubjects,
  photoWarnings,
  progressStages,
  sceneTemplates,
  waitReasons,
} from '#contract';
import { photoProblems } from '#shared/cutout/photo-problem.ts';
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
  traceSchema,
} from '#shared/data/row.ts';
import type { Trace } from '#shared/platform/trace.ts';

/** What a generation waits for. `budget`: the next day, because the calls of the day have cost as much as they may. */
const storedWaitReasons = [...waitReasons, 'budget'] as const;
export type StoredWaitReason = (typeof storedWaitReasons)[number];

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

const batchPart = {
  /** The batch. */
  id: text,
  /** The row of the batch, and which of its takes, from 0. */
  row: number,
  take: number,
  /** From 1; an image that is made again has the next one. */
  attempt: number,
  /** True once it is made again. Absent otherwise. */
  replaced: { type: Boolean, ...optional },
  /** Why the last attempt to make it again gave no image. Absent otherwise. */
  again_failure: { type: String, ...optional },
  /** True once the seller approved it. Absent otherwise. */
  approved: { type: Boolean, ...optional },
};

/** Which image of a batch a generation is. */
interface BatchPart extends Row<typeof batchPart> {}

const batchPartSchema = new Schema<BatchPart>(batchPart, partOptions);

/** How a generation changes the image of another one. The keys are those of its own copy of that image, and of the mask. */
const changeSchema = new Schema(
  { instruction: { type: String, default: '' }, image_key: text, mask_key: nullableText },
  partOptions,
);

/** How the image of `parent` is changed. */
interface Change {
  instruction: string;
  image_key: string;
  /** Null if the whole image may change. */
  mask_key: string | null;
}

/**
 * How far the deletion of a generation is. `trashed`: it can be restored. `final`: it cannot any more, and nothing is removed
 * yet. `purging`: its texts are removed, and its files are being removed. `purged`: it is a tombstone, kept for its
 * idempotency key and the audit.
 */
const stages = ['trashed', 'final', 'purging', 'purged'] as const;

/** The deletion of a generation; `at`: when it was moved to the trash. */
const deletionSchema = new Schema(
  { stage: { type: String, enum: stages, required: true }, at: date },
  partOptions,
);

/** A part of a picture, in fractions of its size. */
const pictureBoxSchema = new Schema({ x: number, y: number, width: number, height: number }, partOptions);

const productMatchSchema = new Schema(
  {
    level: { type: String, enum: matchLevels, required: true },
    area: { type: [new Schema({ x: number, y: number }, partOptions)], default: null },
    crops: {
      type: new Schema({ photo: number, inPhoto: pictureBoxSchema, inImage: pictureBoxSchema }, partOptions),
      ...optional,
    },
  },
  partOptions,
);

type ViewedMatch = NonNullable<GenerationView['match']>;

/** Whether an image shows the product of its photos, as sellers see it. Matches from before `crops` was stored lack it. */
export type ProductMatch = Omit<ViewedMatch, 'crops'> & Partial<Pick<ViewedMatch, 'crops'>>;

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
  /** Amazon's number of the product, from its batch. Absent for none. */
  asin: { type: String, ...optional },
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
  /** The day (UTC) in which it was counted, as its hold says. Absent before it was enqueued, and if it is in none. */
  counted_on: { type: String, ...optional },
  /** The lease of its attempt; while it waits, the time before which no other attempt may begin. */
  lease_until: nullableDate,
  progress: {
    type: new Schema(
      {
        stage: { type: String, enum: progressStages, required: true },
        /** At `waiting`: what it waits for. */
        waiting_for: { type: String, enum: storedWaitReasons, ...optional },
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
  /** The API key that asked for it, as it was then: it may be revoked. Absent for all others. */
  api_key: { type: new Schema({ id: text, name: text }, partOptions), ...optional },
  failure: {
    type: new Schema(
      {
        code: { type: String, enum: generationFailureCodes, required: true },
        /** The provider's error, for the operator. */
        provider_status: { type: Number, default: null },
        provider_code: nullableText,
        provider_request_id: nullableText,
        detail: { type: String, default: '' },
        /** What its moderation says. Absent unless it refused the request. */
        moderation: {
          type: new Schema(
            {
              stage: { type: String, enum: ['input', 'output'] as const, default: null },
              categories: { type: [text], required: true },
            },
            partOptions,
          ),
          ...optional,
        },
        /** Which photo could not be used, and why. Absent unless the provider says it. */
        photo: {
          type: new Schema(
            {
              problem: { type: String, enum: photoProblems, required: true },
              photo: { type: Number, default: null },
            },
            partOptions,
          ),
          ...optional,
        },
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
      {
        /** Absent in older rows. */
        name: { type: String, enum: imageProviderNames, ...optional },
        model: text,
        request_id: nullableText,
        milliseconds: number,
        usage: Schema.Types.Mixed,
      },
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

const byDate = { created_at: -1, _id: -1 } as const;
const partial = (partialFilterExpression: object) => ({ partialFilterExpression });

/** The indexes of generations. */
const generationIndexes: readonly [fields: IndexDefinition, options?: IndexOptions][] = [
  [{ previews_left: 1, ended_at: 1 }, partial({ previews_left: true })],
  [{ profile: 1, idempotency_key: 1 }, { unique: true }],
  // The versions of an image. A sparse index of several fields would hold every row that has one of them.
  [{ root: 1, created_at: 1 }, partial({ root: { $gt: '' } })],
  // The takes of a set, and whether anything still refers to its photos.
  [{ photo_set: 1 }, { sparse: true }],
  [{ profile: 1, ...byDate }],
  // The images of a project.
  [{ profile: 1, project: 1, ...byDate }],
  // Those that have not ended: few, however many images a seller has.
  [
    { profile: 1, ...byDate },
    { ...partial({ state: { $in: ['queued', 'running'] } }), name: 'pending' },
  ],
  // What the library finds images by (search.ts).
  [{ profile: 1, words: 1, ...byDate }],
  [{ profile: 1, state: 1, ...byDate }],
  [{ profile: 1, template: 1, ...byDate }],
  [
    { profile: 1, ...byDate },
    { ...partial({ favourite: true }), name: 'favourites' },
  ],
  [{ profile: 1, name_key: 1, _id: 1 }],
  // What is in the trash of a seller.
  [
    { profile: 1, 'deletion.at': -1, _id: -1 },
    { ...partial({ 'deletion.stage': 'trashed' }), name: 'trash' },
  ],
  // Deleted ones whose time in the trash is over, or whose files are being removed.
  [{ 'deletion.stage': 1, 'deletion.at': 1 }, partial({ 'deletion.stage': { $gt: '' } })],
  // The images of a batch.
  [{ 'batch.id': 1, state: 1 }, partial({ 'batch.id': { $gt: '' } })],
  // What operators search all sellers' generations by (search.ts).
  [{ state: 1, ...byDate }],
  [{ 'failure.code': 1, ...byDate }, partial({ state: 'failed' })],
  // The order of the queue: for positions in it, and for upkeep.
  [{ state: 1, priority: 1, created_at: 1 }],
  [{ settlement_due: 1, ended_at: 1 }, partial({ settlement_due: true })],
];

const generationSchema = new Schema<GenerationRow>(generation, { ...rowOptions, minimize: false });
for (const [fields, options] of generationIndexes) generationSchema.index(fields, options);

export const generations = collection<GenerationRow>('generations', generationSchema, 'apart');
