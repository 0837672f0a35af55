import { type Model, Schema } from 'mongoose';

export const accountTokenKinds = [
  'verify-email',
  'reset-password',
  'change-email',
  'undo-email',
  'unlock',
] as const;
export type AccountTokenKind = (typeof accountTokenKinds)[number];

/** A link in a mail: works once, and only the newest of its kind for a seller; of `undo-email` all of them. */
export interface AccountTokenRow {
  /** SHA-256 of the token: who reads the database cannot follow the link. */
  _id: string;
  kind: AccountTokenKind;
  user_id: string;
  /** `change-email`: the address to move to. `undo-email`: the one to bring back, reserved until then. */
  email: string | null;
  /** `verify-email`: SHA-256 of what the browser that signed up holds in its cookie. */
  browser: string | null;
  /** `unlock`: the hash by which the lock is kept. */
  lock: string | null;
  created_at: Date;
  expires_at: Date;
}

export type AccountTokenModel = Model<AccountTokenRow>;

export const accountTokenSchema = new Schema<AccountTokenRow, AccountTokenModel>(
  {
    _id: { type: String, required: true },
    kind: { type: String, enum: accountTokenKinds, required: true },
    user_id: { type: String, required: true },
    email: { type: String, default: null },
    browser: { type: String, default: null },
    lock: { type: String, default: null },
    created_at: { type: Date, default: () => new Date() },
    expires_at: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
accountTokenSchema.index({ user_id: 1, kind: 1 });
// Whether an address is reserved is asked at every sign-up.
accountTokenSchema.index({ email: 1 }, { partialFilterExpression: { kind: 'undo-email' } });
accountTokenSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });
