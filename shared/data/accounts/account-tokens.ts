import { createHash, randomBytes } from 'node:crypto';
import { Schema } from 'mongoose';
import { collection } from '../collection.ts';
import type { Db } from '../db.ts';
import { date, nullableText, type Row, rowOptions, text } from '../row.ts';

const accountTokenKinds = [
  'verify-email',
  'reset-password',
  'change-email',
  'undo-email',
  'unlock',
  'confirm-reachable',
  'keep-two-factor',
] as const;
export type AccountTokenKind = (typeof accountTokenKinds)[number];

const accountToken = {
  /** SHA-256 of the token: somebody who reads the database cannot follow the link. */
  _id: text,
  kind: { type: String, enum: accountTokenKinds, required: true },
  user_id: text,
  /** `change-email`: the new address. `confirm-reachable`: the present one. `undo-email`: the address to restore, reserved until the token expires. */
  email: nullableText,
  /** `verify-email`: SHA-256 of the secret in the cookie of the browser that signed up. */
  browser: nullableText,
  /** `unlock`: the hash under which the lock of a known device is stored; null for other locks. */
  lock: nullableText,
  created_at: { type: Date, default: () => new Date() },
  expires_at: date,
};

/** The token of a link in a mail. It works once. A new one replaces the seller's others of its kind, except `undo-email`. */
export interface AccountTokenRow extends Row<typeof accountToken> {}

const accountTokenSchema = new Schema<AccountTokenRow>(accountToken, rowOptions);
accountTokenSchema.index({ user_id: 1, kind: 1 });
// Every sign-up checks whether its address is reserved.
accountTokenSchema.index({ email: 1 }, { partialFilterExpression: { kind: 'undo-email' } });
accountTokenSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const accountTokens = collection<AccountTokenRow>('account_tokens', accountTokenSchema);

/** SHA-256 in base64url. Only for random secrets: passwords need a slow hash. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** A secret for a link or a cookie: 256 random bits in base64url. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Creates a token for a link in a mail and removes the seller's older ones of the same kind.
 * @param options lifeMs: how long it works, in ms; email, browser, lock: see AccountTokenRow
 * @returns the token; only its hash is stored
 */
export async function issueToken(
  db: Db,
  options: {
    kind: AccountTokenKind;
    sellerId: string;
    email?: string | null;
    browser?: string | null;
    lock?: string | null;
    lifeMs: number;
  },
): Promise<string> {
  const token = randomSecret();
  await removeTokens(db, options.sellerId, options.kind);
  await accountTokens(db).create({
    _id: hashSecret(token),
    kind: options.kind,
    user_id: options.sellerId,
    email: options.email ?? null,
    browser: options.browser ?? null,
    lock: options.lock ?? null,
    expires_at: new Date(Date.now() + options.lifeMs),
  });
  return token;
}

/** Finds a token without using it. @returns null when it is unknown, used or expired */
export async function findToken(
  db: Db,
  kind: AccountTokenKind,
  token: string,
): Promise<AccountTokenRow | null> {
  return accountTokens(db).findOne(valid(kind, token)).lean();
}

/** Finds a token of any kind without using it. @returns null when it is unknown, used or expired */
export async function findLink(db: Db, token: string): Promise<AccountTokenRow | null> {
  return accountTokens(db)
    .findOne({ _id: hashSecret(token), expires_at: { $gt: new Date() } })
    .lean();
}

/** Uses a token: only one of several concurrent requests gets it. @returns null when it is unknown, used or expired */
export async function consumeToken(
  db: Db,
  kind: AccountTokenKind,
  token: string,
): Promise<AccountTokenRow | null> {
  return accountTokens(db).findOneAndDelete(valid(kind, token)).lean();
}

const valid = (kind: AccountTokenKind, token: string) => ({
  _id: hashSecret(token),
  kind,
  expires_at: { $gt: new Date() },
});

/**
 * Uses a token for a task. If the task fails, the token becomes valid again. If the process dies during the task, the
 * token stays used and its owner has to ask for another.
 * @returns what the task returns, or null when the token is unknown, used or expired
 */
export async function redeemToken<Result>(
  db: Db,
  kind: AccountTokenKind,
  token: string,
  task: (row: AccountTokenRow) => Promise<Result>,
): Promise<Result | null> {
  const row = await consumeToken(db, kind, token);
  if (!row) return null;
  try {
    return await task(row);
  } catch (error) {
    // The task's error is the one to report, even if the token cannot be restored.
    await accountTokens(db)
      .create(row)
      .catch(() => {});
    throw error;
  }
}

/**
 * Removes a seller's tokens except those that undo an address change or keep two-factor sign-in. With these an owner recovers
 * an account that somebody else has taken over: a thief can set a new password or change the address again, and must not be
 * able to revoke them that way.
 */
export async function revokeLinks(db: Db, sellerId: string): Promise<void> {
  await accountTokens(db).deleteMany({
    user_id: sellerId,
    kind: { $nin: ['undo-email', 'keep-two-factor'] },
  });
}

/** @returns a seller's tokens that work, in no order */
export function listTokens(db: Db, sellerId: string): Promise<AccountTokenRow[]> {
  return accountTokens(db)
    .find({ user_id: sellerId, expires_at: { $gt: new Date() } })
    .lean();
}

/** Removes a seller's tokens of one kind, or of all kinds. */
export async function removeTokens(db: Db, sellerId: string, kind?: AccountTokenKind): Promise<void> {
  await accountTokens(db).deleteMany(
    kind === undefined ? { user_id: sellerId } : { user_id: sellerId, kind },
  );
}
