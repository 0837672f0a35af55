import { type Model, Schema } from 'mongoose';
import {
  type GenerationFailureCode,
  type GenerationState,
  generationFailureCodes,
  generationStates,
  type ImageQuality,
  imageQualities,
  progressStages,
  type WaitReason,
  waitReasons,
} from '#contract';

export interface StoredImage {
  key: string;
  width: number;
  height: number;
  bytes: number;
}

/** One generation: the truth about it. The job carries its id, an event is a hint. */
export interface GenerationRow {
  _id: string;
  profile: string;
  idempotency_key: string;
  /** SHA-256 over the request's fields and files: tells a repeated request from another one under the same key. */
  fingerprint: string;
  prompt: string;
  product_name: string;
  /** Images that it costs. */
  count: number;
  /** What the provider is asked for: the seller's setting when it was submitted. Absent where it is older than that. */
  quality?: ImageQuality;
  photos: StoredImage[];
  state: GenerationState;
  /** Grows by one with each change. */
  revision: number;
  /** Number of the attempt that may write; each claim takes the next one. */
  fence: number;
  /** Place in the queue: smaller goes first, then older (see shared/platform/queue.ts). */
  priority: number;
  /** When its hold was placed; null while the request that makes it is still under way. */
  admitted_at: Date | null;
  /** Until when the attempt that runs it is believed to be alive. */
  lease_until: Date | null;
  progress: {
    stage: (typeof progressStages)[number];
    /** At `waiting`: what for. */
    waiting_for?: WaitReason;
    previews: number;
    previews_expected: number;
  } | null;
  preview_key: string | null;
  image: StoredImage | null;
  failure: {
    code: GenerationFailureCode;
    /** For the operator: what the provider said. */
    provider_status: number | null;
    provider_code: string | null;
    provider_request_id: string | null;
    detail: string;
  } | null;
  calls: {
    /** Provider calls begun that may have been executed: what was refused is taken off again. */
    started: number;
    /** Calls that the provider refused for now, or did not answer at all. Absent where there was none. */
    refused?: number;
    /** When the first of them was. */
    refused_since?: Date;
    /** True while one is under way: a worker that dies then may have cost a call. */
    under_way: boolean;
    /** Calls whose worker died. */
    lost: number;
    /** Calls that the provider answered with a server error. */
    server_errors: number;
  };
  /** The call that made the image. */
  provider: { model: string; request_id: string | null; milliseconds: number; usage: unknown } | null;
  /** True where it was cancelled while a preview was on show: its image is used. Absent otherwise. */
  charged?: boolean;
  /** True while the storage may have previews of it: from its first call until they are removed after its end. */
  previews_left?: boolean;
  /** True from the decision until hold and ledger follow it; absent otherwise. */
  settlement_due?: boolean;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
}

/** Whether a generation uses an image of the plan: it succeeded, or it was stopped while a preview was on show. */
export function usesImage({ state, charged }: Pick<GenerationRow, 'state' | 'charged'>): boolean {
  return state === 'succeeded' || (state === 'cancelled' && charged === true);
}

/** What is read of a generation to show it: a list is asked for all the time, and the rest of the row is as much again. */
export const shownFields = [
  '_id',
  'state',
  'revision',
  'prompt',
  'product_name',
  'photos',
  'priority',
  'admitted_at',
  'progress',
  'preview_key',
  'image',
  'failure',
  'charged',
  'calls',
  'created_at',
  'started_at',
  'ended_at',
] as const satisfies readonly (keyof GenerationRow)[];
export type ShownGeneration = Pick<GenerationRow, (typeof shownFields)[number]>;

export type GenerationModel = Model<GenerationRow>;

const storedImage = new Schema<StoredImage>(
  { key: String, width: Number, height: Number, bytes: Number },
  { _id: false },
);

export const generationSchema = new Schema<GenerationRow, GenerationModel>(
  {
    _id: { type: String, required: true },
    profile: { type: String, required: true },
    idempotency_key: { type: String, required: true },
    fingerprint: { type: String, required: true },
    prompt: { type: String, required: true },
    product_name: { type: String, default: '' },
    count: { type: Number, required: true },
    quality: { type: String, enum: imageQualities },
    photos: [storedImage],
    state: { type: String, enum: generationStates, default: 'queued' },
    revision: { type: Number, default: 0 },
    fence: { type: Number, default: 0 },
    priority: { type: Number, default: 0 },
    admitted_at: { type: Date, default: null },
    lease_until: { type: Date, default: null },
    progress: {
      type: new Schema(
        {
          stage: { type: String, enum: progressStages },
          waiting_for: { type: String, enum: waitReasons },
          previews: Number,
          previews_expected: Number,
        },
        { _id: false },
      ),
      default: null,
    },
    preview_key: { type: String, default: null },
    image: { type: storedImage, default: null },
    failure: {
      type: new Schema(
        {
          code: { type: String, enum: generationFailureCodes },
          provider_status: { type: Number, default: null },
          provider_code: { type: String, default: null },
          provider_request_id: { type: String, default: null },
          detail: { type: String, default: '' },
        },
        { _id: false },
      ),
      default: null,
    },
    calls: {
      started: { type: Number, default: 0 },
      refused: { type: Number },
      refused_since: { type: Date },
      under_way: { type: Boolean, default: false },
      lost: { type: Number, default: 0 },
      server_errors: { type: Number, default: 0 },
    },
    provider: {
      type: new Schema(
        {
          model: String,
          request_id: { type: String, default: null },
          milliseconds: Number,
          usage: Schema.Types.Mixed,
        },
        { _id: false },
      ),
      default: null,
    },
    charged: { type: Boolean },
    previews_left: { type: Boolean },
    settlement_due: { type: Boolean },
    created_at: { type: Date, required: true },
    started_at: { type: Date, default: null },
    ended_at: { type: Date, default: null },
  },
  { versionKey: false, strict: 'throw', minimize: false },
);
generationSchema.index(
  { previews_left: 1, ended_at: 1 },
  { partialFilterExpression: { previews_left: true } },
);
generationSchema.index({ profile: 1, idempotency_key: 1 }, { unique: true });
generationSchema.index({ profile: 1, created_at: -1, _id: -1 });
// The queue's order, for places in the queue and for the reconciler.
generationSchema.index({ state: 1, priority: 1, created_at: 1 });
generationSchema.index(
  { settlement_due: 1, ended_at: 1 },
  { partialFilterExpression: { settlement_due: true } },
);
