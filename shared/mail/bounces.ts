import type { Unreachable } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { markUnreachable } from '#shared/data/profiles/unreachable.ts';
import { mailBounces } from '#shared/metrics/metrics.ts';
import type { Log } from '#shared/platform/log.ts';

/** What a mail server said about a recipient: `5.1.1` in `550 5.1.1 No such user` (RFC 3463). */
const enhancedStatus = /(?:^|[\s-])([245])\.(\d{1,3})\.(\d{1,3})(?=\s|$|[;:])/;

/** Replies that mean the mailbox without a status of RFC 3463: it does not exist, is elsewhere, or its name is not allowed. */
const aboutMailbox: readonly number[] = [550, 551, 553];

/**
 * Whether a refusal says that the address receives nothing, now or later: it does not exist, or its mailbox is closed. A full
 * mailbox, a policy (such as a block list that has us) and an error of a server say nothing about the address.
 * @param text what the server said, with its status of RFC 3463 if it has one
 */
export function saysAddressIsDead(responseCode: number, text: string): boolean {
  if (responseCode < 500) return false;
  const status = enhancedStatus.exec(text);
  if (!status) return aboutMailbox.includes(responseCode);
  const [, kind, subject, detail] = status;
  if (kind !== '5') return false;
  return subject === '1' ? detail !== '7' && detail !== '8' : subject === '2' && detail === '1';
}

/**
 * Records that mail to an address comes back, or that its owner does not want it.
 * @param source where we learnt of it: when a mail was sent, or from the mail provider later
 */
export async function recordBounce(
  { db, log }: { db: Db; log: Log },
  address: string,
  bounce: Pick<Unreachable, 'kind' | 'reason'> & { source: 'sending' | 'provider' },
): Promise<void> {
  const { source, kind, reason } = bounce;
  mailBounces.inc({ source, kind });
  const seller = await markUnreachable(db, address, { kind, reason });
  if (seller) log.warn({ seller, kind, source, reason }, 'mail to a seller comes back');
}
