import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { EventRelay, SellerEvent } from '#shared/platform/relay.ts';
import { generationView } from './generation-view.ts';
import { presentRemoved, presentSubscription } from './present.ts';

/**
 * Sends a change to the seller's sockets, as one event.
 * @param changed the generation after the change, if it changed (deleted ones are announced as removed); the profile, if its balance changed
 */
export async function announce(
  { db, relay }: { db: Db; relay: EventRelay },
  sellerId: string,
  { generation, profile }: { generation?: GenerationRow; profile?: ProfileRow | null },
): Promise<void> {
  if (!generation && !profile) return;
  const event: SellerEvent = {
    ...(generation?.deletion && { generationRemoved: presentRemoved(generation) }),
    ...(generation && !generation.deletion && { generation: await generationView(db, generation) }),
    ...(profile && { subscription: presentSubscription(profile) }),
  };
  relay.publish(sellerId, event);
}
