import { createHmac, timingSafeEqual } from 'node:crypto';
import { pages } from '#contract';
import { findSettings, unsubscribeSecretOf } from '#shared/data/accounts/user-settings.ts';
import type { Db } from '#shared/data/db.ts';
import { type OptionalMailKind, settingThatTurnsOff } from '#shared/data/mail-kinds.ts';
import type { Config } from '#shared/platform/config.ts';

/** What a link in a mail turns off. */
export interface Unsubscription {
  kind: OptionalMailKind;
  sellerId: string;
}

/**
 * The address that turns mails of a kind off for a seller: a page for people, and by POST the target of mailboxes' buttons
 * (RFC 8058). It can do nothing else, and works as long as the account exists, because mails are kept for years: it is signed with
 * a secret of the seller's own, which workers have as well as servers, and which no change of a setting replaces.
 */
export async function unsubscribeLink(
  { db, config }: { db: Db; config: Pick<Config, 'linkUrl'> },
  { kind, sellerId }: Unsubscription,
): Promise<string> {
  const signature = signatureOf(kind, await unsubscribeSecretOf(db, sellerId));
  return `${config.linkUrl}${pages.unsubscribe}?token=${kind}.${sellerId}.${signature}`;
}

/** @returns what a token turns off; null if it was not signed for this kind and seller, or the account is gone */
export async function readUnsubscription(db: Db, token: string): Promise<Unsubscription | null> {
  const [, kind = '', sellerId = '', signature = ''] = /^(\w+)\.(\w+)\.([\w-]+)$/.exec(token) ?? [];
  if (settingThatTurnsOff(kind) === undefined) return null;
  const secret = (await findSettings(db, sellerId))?.unsubscribe_secret;
  if (!secret || !isSame(signatureOf(kind, secret), signature)) return null;
  return { kind: kind as OptionalMailKind, sellerId };
}

const signatureOf = (kind: string, secret: string) =>
  createHmac('sha256', secret).update(kind).digest('base64url');

/** Compares in a time that does not depend on where two signatures of the same length differ. */
function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
