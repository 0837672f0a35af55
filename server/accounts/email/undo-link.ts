import { pages } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { reissueUndoLink } from '#shared/data/accounts/address-changes.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';

/** The page behind a link that undoes a change of the address. */
export function undoLink({ config }: Pick<ServerContext, 'config'>, token: string): string {
  return `${config.linkUrl}${pages.undoEmail}?token=${token}`;
}

/**
 * Writes once more to an address whose account was moved away lately, with a new link that undoes it: its owner may not
 * have seen the first mail, and wants to sign in, or up. Does nothing for any other address.
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
