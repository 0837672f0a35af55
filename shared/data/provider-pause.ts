import { type Model, Schema } from 'mongoose';

/** Why the image provider takes no calls: `busy` for now, or `account`, which the operator has to mend. */
export const pauseKinds = ['busy', 'account'] as const;
export type PauseKind = (typeof pauseKinds)[number];

/**
 * That the image provider refuses calls, for all workers. There is one document, from the first refusal on; it stays,
 * and says that all is well once `careful` is 0.
 */
export interface ProviderPauseRow {
  _id: string;
  kind: PauseKind;
  /** Since when every call was refused; null once one was accepted. */
  since: Date | null;
  /** No call begins before this. */
  until: Date;
  /** How often the pause has grown: up with each refusal, down with each call that is accepted. */
  step: number;
  /** Calls that must still be accepted before all workers call at full speed again. */
  careful: number;
}

export type ProviderPauseModel = Model<ProviderPauseRow>;

export const providerPauseSchema = new Schema<ProviderPauseRow, ProviderPauseModel>(
  {
    _id: { type: String, required: true },
    kind: { type: String, enum: pauseKinds, required: true },
    since: { type: Date, default: null },
    until: { type: Date, required: true },
    step: { type: Number, required: true },
    careful: { type: Number, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
