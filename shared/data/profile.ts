import { type Model, Schema } from 'mongoose';
import { type PlanId, planIds, type SubscriptionStatus, subscriptionStatuses } from '../contract/index.ts';

/** Images reserved for one generation that has not ended. */
export interface Hold {
  generation: string;
  count: number;
  /** False when it was placed under an unlimited plan: it takes nothing from `generations_left`. */
  metered: boolean;
  at: Date;
}

/** Images added once, under a key that is never used again (an invoice, a sign-up). */
export interface Grant {
  key: string;
  count: number;
  at: Date;
  /** Whether the ledger has its line. */
  entered: boolean;
}

/** A seller's profile (seed §3), keyed by the user's id; the document that credits are counted in. */
export interface ProfileRow {
  _id: string;
  email: string;
  full_name: string;
  subscription_plan: PlanId;
  subscription_status: SubscriptionStatus;
  credits: number;
  generations_left: number;
  total_generations: number;
  granted: number;
  settled: number;
  /** Part of `settled` that was made under an unlimited plan: granted as it was counted, under no key. */
  settled_unlimited: number;
  forfeited: number;
  holds: Hold[];
  grants: Grant[];
  /** Grows by one with each change of the balance. */
  revision: number;
  last_login: Date | null;
  login_count: number;
  account_locked: boolean;
  security_level: string;
  two_factor_enabled: boolean;
  email_verified: boolean;
  created_at: Date;
  updated_at: Date;
}

export type ProfileModel = Model<ProfileRow>;

const count = { type: Number, required: true, min: 0 };

export const profileSchema = new Schema<ProfileRow, ProfileModel>(
  {
    _id: { type: String, required: true },
    email: { type: String, required: true },
    full_name: { type: String, required: true },
    subscription_plan: { type: String, enum: planIds, required: true },
    subscription_status: { type: String, enum: subscriptionStatuses, default: 'inactive' },
    credits: count,
    generations_left: count,
    total_generations: count,
    granted: count,
    settled: { ...count, default: 0 },
    settled_unlimited: { ...count, default: 0 },
    forfeited: { ...count, default: 0 },
    holds: [
      new Schema<Hold>(
        {
          generation: { type: String, required: true },
          count,
          metered: { type: Boolean, required: true },
          at: { type: Date, required: true },
        },
        { _id: false },
      ),
    ],
    grants: [
      new Schema<Grant>(
        {
          key: { type: String, required: true },
          count,
          at: { type: Date, required: true },
          entered: { type: Boolean, required: true },
        },
        { _id: false },
      ),
    ],
    revision: { type: Number, default: 0 },
    last_login: { type: Date, default: null },
    login_count: { type: Number, default: 0 },
    account_locked: { type: Boolean, default: false },
    security_level: { type: String, default: 'standard' },
    two_factor_enabled: { type: Boolean, default: false },
    email_verified: { type: Boolean, default: false },
    created_at: { type: Date, required: true },
    updated_at: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
// The reconciler looks for holds that are older than any request, and for grants without their ledger line.
profileSchema.index({ 'holds.at': 1 });
profileSchema.index({ created_at: 1 });
profileSchema.index({ 'grants.entered': 1 }, { partialFilterExpression: { 'grants.entered': false } });
