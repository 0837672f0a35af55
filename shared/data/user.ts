import { type Model, Schema } from 'mongoose';

/** What a seller proves themselves with besides the password: time-based codes (RFC 6238). */
export interface TwoFactor {
  /** Base32. */
  secret: string;
  /** Step of the last code that was accepted: it and older ones are refused. */
  last_step: number;
  /** Hashes of the recovery codes that are left. */
  recovery_codes: string[];
  /** When it was turned on; null for rows that are older than this field. */
  since: Date | null;
}

/** Who can sign in: the identity, kept apart from the profile. `_id` is the seller's id everywhere. */
export interface UserRow {
  _id: string;
  email: string;
  /** Argon2id with its parameters and salt. */
  password_hash: string;
  password_changed_at: Date;
  /** SHA-256 of what the browser holds that signed up and has not verified the address; null once it is verified. */
  sign_up: string | null;
  /** Counts once the profile says `two_factor_enabled`. */
  two_factor: TwoFactor | null;
  /** A secret whose first code has not come yet. */
  two_factor_setup: { secret: string; at: Date } | null;
  /** The last change of the address that was undone: links made in this time undo nothing any more. */
  undone: { from: Date; to: Date } | null;
  created_at: Date;
}

export type UserModel = Model<UserRow>;

const text = { type: String, required: true };

export const userSchema = new Schema<UserRow, UserModel>(
  {
    _id: text,
    email: text,
    password_hash: text,
    password_changed_at: { type: Date, required: true },
    sign_up: { type: String, default: null },
    two_factor: {
      type: new Schema<TwoFactor>(
        {
          secret: text,
          last_step: { type: Number, required: true },
          recovery_codes: [String],
          since: { type: Date, default: null },
        },
        { _id: false },
      ),
      default: null,
    },
    two_factor_setup: {
      type: new Schema({ secret: text, at: { type: Date, required: true } }, { _id: false }),
      default: null,
    },
    undone: {
      type: new Schema(
        { from: { type: Date, required: true }, to: { type: Date, required: true } },
        { _id: false },
      ),
      default: null,
    },
    created_at: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
userSchema.index({ email: 1 }, { unique: true });
// Upkeep looks for accounts whose address was not verified in time: there are few of them among all.
userSchema.index({ password_changed_at: 1 }, { partialFilterExpression: { sign_up: { $gt: '' } } });
