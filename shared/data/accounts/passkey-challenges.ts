import { randomBytes } from 'node:crypto';
import { Schema } from 'mongoose';
import { limits } from '#contract';
import { collection } from '#shared/data/collection.ts';
import type { Db } from '#shared/data/db.ts';
import { date, type Row, rowOptions, text } from '#shared/data/row.ts';
import { hashSecret, randomSecret } from './account-tokens.ts';

const passkeyChallenge = {
  /** SHA-256 of what it is for, whose it is, and itself: nothing else about it is stored. */
  _id: text,
  expires_at: date,
};

/** Something that a passkey has to sign, or the code that a passkey gave. Each works once. */
export interface PasskeyChallengeRow extends Row<typeof passkeyChallenge> {}

const passkeyChallengeSchema = new Schema<PasskeyChallengeRow>(passkeyChallenge, rowOptions);
passkeyChallengeSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const passkeyChallenges = collection<PasskeyChallengeRow>(
  'passkey_challenges',
  passkeyChallengeSchema,
);

/** `add`: for a new passkey; `use`: for one that there is. */
export type ChallengePurpose = 'add' | 'use';

/** @param owner the session or browser that may answer it. @returns the challenge, 256 random bits in base64url */
export async function issueChallenge(db: Db, purpose: ChallengePurpose, owner: string): Promise<string> {
  const challenge = randomSecret();
  await store(db, `${purpose} ${owner} ${challenge}`, limits.passkeyChallengeSeconds);
  return challenge;
}

/** Uses a challenge: of several requests at once only one can. @returns false for one that is unknown, used or expired */
export function consumeChallenge(
  db: Db,
  purpose: ChallengePurpose,
  owner: string,
  challenge: string,
): Promise<boolean> {
  return consume(db, `${purpose} ${owner} ${challenge}`);
}

/** What codes of passkeys look like; no other code has this form. */
const passkeyCode = /^pk[0-9a-f]{32}$/;

/** @returns a code that stands for a passkey wherever a two-factor code is asked for, once: 128 random bits */
export async function issuePasskeyCode(db: Db, sellerId: string): Promise<string> {
  const code = `pk${randomBytes(16).toString('hex')}`;
  await store(db, `code ${sellerId} ${code}`, limits.passkeyCodeSeconds);
  return code;
}

/** Uses up a code of a passkey. @returns false for one that is unknown, used, expired or of another seller */
export async function consumePasskeyCode(db: Db, sellerId: string, code: string): Promise<boolean> {
  return passkeyCode.test(code) && consume(db, `code ${sellerId} ${code}`);
}

async function store(db: Db, key: string, seconds: number): Promise<void> {
  await passkeyChallenges(db).create({
    _id: hashSecret(key),
    expires_at: new Date(Date.now() + seconds * 1_000),
  });
}

async function consume(db: Db, key: string): Promise<boolean> {
  const { deletedCount } = await passkeyChallenges(db).deleteOne({
    _id: hashSecret(key),
    expires_at: { $gt: new Date() },
  });
  return deletedCount === 1;
}
