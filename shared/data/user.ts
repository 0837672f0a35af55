import { type Model, Schema } from 'mongoose';

/** Who can sign in: the identity, apart from the profile as in the seed (§3). `_id` is the seller's id everywhere. */
export interface UserRow {
  _id: string;
  email: string;
  /** Argon2id with its parameters and salt. */
  password_hash: string;
  created_at: Date;
}

export type UserModel = Model<UserRow>;

export const userSchema = new Schema<UserRow, UserModel>(
  {
    _id: { type: String, required: true },
    email: { type: String, required: true },
    password_hash: { type: String, required: true },
    created_at: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
userSchema.index({ email: 1 }, { unique: true });
