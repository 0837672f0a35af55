import type { Unreachable } from '#contract';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';

/** That mail to a seller's present address comes back; null while it does not. */
export function presentUnreachable({ email, unreachable }: ProfileRow): Unreachable | null {
  // An account that has changed its address since is reachable.
  if (unreachable?.address !== email) return null;
  const { kind, reason, at } = unreachable;
  return { kind, reason, since: at.toISOString() };
}
