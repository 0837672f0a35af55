import { createHash, randomBytes } from 'node:crypto';
import { Schema } from 'mongoose';
import type { Db } from './db.ts';
import { modelsOf } from './models.ts';
import { date, nullableText, type Row, rowOptions, text } from './row.ts';

export const accountTokenKinds = [
  'verify-email',
  'reset-password',
  'change-email',
  'undo-email',
  'unlock',
] as const;
export type AccountTokenKind = (typeof accountTokenKinds)[number];

const accountToken = {
  /** SHA-256 of the token: somebody who reads the database cannot follow the link. */
  _id: text,
  kind: { type: String, enum: accountTokenKinds, required: true },
  user_id: text,
  /** `change-email`: the new address. `undo-email`: the address to restore, reserved until the token expires. */
  email: nullableText,
  /** `verify-email`: SHA-256 of the secret in the cookie of the browser that signed up. */
  browser: nullableText,
  /** `unlock`: the hash under which the lock is stored. */
  lock: nullableText,
  created_at: { type: Date, default: () => new Date() },
  expires_at: date,
};

/** A link in a mail. It works once; a new one replaces those of its kind for the same seller, except `undo-email`. */
export interface AccountTokenRow extends Row<typeof accountToken> {}

export const accountTokenSchema = new Schema<AccountTokenRow>(accountToken, rowOptions);
accountTokenSchema.index({ user_id: 1, kind: 1 });
// Every sign-up asks whether its address is reserved.
accountTokenSchema.index({ email: 1 }, { partialFilterExpression: { kind: 'undo-email' } });
accountTokenSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

/** SHA-256 in base64url: how secrets that are random enough are kept. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** A secret for a link or a cookie: 256 random bits in base64url. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Makes a token for a link in a mail; older ones of its kind for the seller are void.
 * @param wanted lifeMs: how long it works, in ms; email, browser, lock: see AccountTokenRow
 * @returns the token, which is kept only as its hash
 */
export async function issueToken(
  db: Db,
  wanted: {
    kind: AccountTokenKind;
    sellerId: string;
    email?: string | null;
    browser?: string | null;
    lock?: string | null;
    lifeMs: number;
  },
): Promise<string> {
  const token = randomSecret();
  await removeTokens(db, wanted.sellerId, wanted.kind);
  await modelsOf(db).accountTokens.create({
    _id: hashSecret(token),
    kind: wanted.kind,
    user_id: wanted.sellerId,
    email: wanted.email ?? null,
    browser: wanted.browser ?? null,
    lock: wanted.lock ?? null,
    expires_at: new Date(Date.now() + wanted.lifeMs),
  });
  return token;
}

/** Looks a token up without using it. @returns null when it is wrong, used or old */
export async function findToken(
  db: Db,
  kind: AccountTokenKind,
  token: string,
): Promise<AccountTokenRow | null> {
  return modelsOf(db).accountTokens.findOne(whichWorks(kind, token)).lean();
}

/** Uses a token up: of several that try at once only one gets it. @returns null when it is wrong, used or old */
export async function consumeToken(
  db: Db,
  kind: AccountTokenKind,
  token: string,
): Promise<AccountTokenRow | null> {
  return modelsOf(db).accountTokens.findOneAndDelete(whichWorks(kind, token)).lean();
}

const whichWorks = (kind: AccountTokenKind, token: string) => ({
  _id: hashSecret(token),
  kind,
  expires_at: { $gt: new Date() },
});

/**
 * Uses a token up for some work. Where the work fails the link works again, so that whoever followed it can try once
 * more; a process that dies in the middle leaves it used, and its owner asks for another.
 * @returns what the work gives, or null when the token is wrong, used or old
 */
export async function redeemToken<Result>(
  db: Db,
  kind: AccountTokenKind,
  token: string,
  work: (row: AccountTokenRow) => Promise<Result>,
): Promise<Result | null> {
  const row = await consumeToken(db, kind, token);
  if (!row) return null;
  try {
    return await work(row);
  } catch (error) {
    // What failed is the news; that the link could not be given back as well adds nothing.
    await modelsOf(db)
      .accountTokens.create(row)
      .catch(() => {});
    throw error;
  }
}

/**
 * Makes the links void that were sent to a seller, all but those that undo a change of the address. These are the way
 * back for an owner whose account somebody else has moved away: whoever did that can also choose a new password, or move
 * the account once more, and must not close the way back by it.
 */
export async function revokeLinks(db: Db, sellerId: string): Promise<void> {
  await modelsOf(db).accountTokens.deleteMany({ user_id: sellerId, kind: { $ne: 'undo-email' } });
}

/** Removes a seller's tokens: those of one kind, or all. */
export async function removeTokens(db: Db, sellerId: string, kind?: AccountTokenKind): Promise<void> {
  await modelsOf(db).accountTokens.deleteMany(
    kind === undefined ? { user_id: sellerId } : { user_id: sellerId, kind },
  );
}
