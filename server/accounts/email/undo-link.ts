import { pages } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { reissueUndoLink } from '#shared/data/accounts/address-changes.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';

/** The URL of the link that undoes a change of address. */
export function undoLink({ config }: Pick<ServerContext, 'config'>, token: string): string {
  return `${config.linkUrl}${pages.undoEmail}?token=${token}`;
}

/**
 * Sends another mail with an undo link to an address that an account has left lately. Its owner tries to sign in or up,
 * and may have missed the first mail. Does nothing for other addresses.
 */
export async function resendUndoLink(context: ServerContext, email: string): Promise<void> {
  const { db, relay } = context;
  const undo = await reissueUndoLink(db, email);
  const profile = undo && (await findActiveProfile(db, undo.sellerId));
  if (!profile) return;
  await enqueueMail(db, relay, 'addressChanged', email, {
    fullName: profile.full_name,
    newEmail: profile.email,
    at: undo.changedAt,
    undoLink: undoLink(context, undo.token),
    until: undo.until,
  });
}
