import { Schema } from 'mongoose';
import { date, nullableDate, nullableText, number, partOptions, type Row, rowOptions, text } from './row.ts';

const user = {
  _id: text,
  email: text,
  /** Argon2id with its parameters and salt. */
  password_hash: text,
  password_changed_at: date,
  /** SHA-256 of the secret of the browser that signed up; null once the address is verified. */
  sign_up: nullableText,
  /** Time-based one-time passwords (RFC 6238). In force once the profile says `two_factor_enabled`. */
  two_factor: {
    type: new Schema(
      {
        /** Base32. */
        secret: text,
        /** Time step of the last accepted code: codes of this step and before are refused. */
        last_step: number,
        /** Hashes of the recovery codes that are left. */
        recovery_codes: [String],
        /** When it was turned on; null in rows from before this field existed. */
        since: nullableDate,
      },
      partOptions,
    ),
    default: null,
  },
  /** A secret that is not confirmed by a first code yet. */
  two_factor_setup: { type: new Schema({ secret: text, at: date }, partOptions), default: null },
  /** The last undo of an address change: undo links that were made within this time no longer work. */
  undone: { type: new Schema({ from: date, to: date }, partOptions), default: null },
  created_at: date,
};

/** Who can sign in. `_id` is the seller's id everywhere. */
export interface UserRow extends Row<typeof user> {}
export type TwoFactor = NonNullable<UserRow['two_factor']>;

export const userSchema = new Schema<UserRow>(user, rowOptions);
userSchema.index({ email: 1 }, { unique: true });
// Upkeep looks for accounts whose address was not verified in time: few among all.
userSchema.index({ password_changed_at: 1 }, { partialFilterExpression: { sign_up: { $gt: '' } } });
