import { Schema } from 'mongoose';
import { type ApiScope, apiScopes, limits } from '#contract';
import { beginEvents } from '#shared/data/webhooks/events.ts';
import { collection } from '../collection.ts';
import { type Db, newId } from '../db.ts';
import { insertIntoFreePlace } from '../free-place.ts';
import { date, nullableDate, number, optional, type Row, rowOptions, text } from '../row.ts';

const apiKey = {
  _id: text,
  user_id: text,
  /** One of the seller's places for keys, from 0 to `limits.apiKeys` - 1. */
  slot: number,
  name: text,
  /** True for a key of the sandbox. Absent otherwise. */
  test: { type: Boolean, ...optional },
  /** SHA-256 of the key, which is stored nowhere. */
  hash: text,
  /** The last characters of the key. */
  hint: text,
  scopes: { type: [{ type: String, enum: Object.keys(apiScopes) }], required: true },
  /** IP addresses and networks from which it may be used; empty for all. */
  networks: { type: [String], required: true },
  /** The version of the API that it is answered in, unless a request names another. */
  version: text,
  created_at: date,
  /** Null for without an end. */
  expires_at: nullableDate,
  /** Null until it is used. */
  last_used_at: nullableDate,
} as const;

/** A key with which programs of a seller call the API (docs/decisions/0134-a-caller-has-a-principal.md). */
export interface ApiKeyRow extends Omit<Row<typeof apiKey>, 'scopes'> {
  scopes: ApiScope[];
}

const apiKeySchema = new Schema<ApiKeyRow>(apiKey, rowOptions);
apiKeySchema.index({ hash: 1 }, { unique: true });
// Two keys of a seller never have the same place, so there are never more than places.
apiKeySchema.index({ user_id: 1, slot: 1 }, { unique: true });

export const apiKeys = collection<ApiKeyRow>('api_keys', apiKeySchema);

/** What its maker decides of a key. */
export type NewApiKey = Pick<
  ApiKeyRow,
  'name' | 'test' | 'hash' | 'hint' | 'scopes' | 'networks' | 'version' | 'created_at' | 'expires_at'
>;

/** @returns null when a seller has `limits.apiKeys` already */
export async function insertApiKey(db: Db, sellerId: string, key: NewApiKey): Promise<ApiKeyRow | null> {
  const row = { ...key, _id: newId(), user_id: sellerId, last_used_at: null };
  await beginEvents(db, sellerId);
  const list = () => listApiKeys(db, sellerId);
  return insertIntoFreePlace(list, limits.apiKeys, async (slot) =>
    slot === undefined ? null : (await apiKeys(db).create({ ...row, slot })).toObject(),
  );
}

/** A seller's keys, by their places. */
export function listApiKeys(db: Db, sellerId: string): Promise<ApiKeyRow[]> {
  return apiKeys(db).find({ user_id: sellerId }).sort({ slot: 1 }).lean<ApiKeyRow[]>();
}

/** @returns the key with this hash, unless it was revoked */
export function findApiKey(db: Db, hash: string): Promise<ApiKeyRow | null> {
  return apiKeys(db).findOne({ hash }).lean<ApiKeyRow>();
}

/** @returns those of the keys that were not revoked */
export function findApiKeysById(db: Db, ids: readonly string[]): Promise<ApiKeyRow[]> {
  return apiKeys(db)
    .find({ _id: { $in: [...ids] } })
    .lean<ApiKeyRow[]>();
}

/** Records that a key was used now. */
export async function recordApiKeyUse(db: Db, id: string): Promise<void> {
  await apiKeys(db).updateOne({ _id: id }, { $set: { last_used_at: new Date() } });
}

/** Revokes a seller's own key. @returns it as it was; null when there is none */
export function removeApiKey(db: Db, sellerId: string, id: string): Promise<ApiKeyRow | null> {
  return apiKeys(db).findOneAndDelete({ _id: id, user_id: sellerId }).lean<ApiKeyRow>();
}

/** Revokes the keys of a seller that were made after a moment. @returns their ids */
export async function removeApiKeysSince(db: Db, sellerId: string, since: Date): Promise<string[]> {
  const rows = (await listApiKeys(db, sellerId)).filter((row) => row.created_at >= since);
  await apiKeys(db).deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
  return rows.map(({ _id }) => _id);
}

/** Revokes all keys of a seller. */
export async function removeApiKeysOf(db: Db, sellerId: string): Promise<void> {
  await apiKeys(db).deleteMany({ user_id: sellerId });
}
