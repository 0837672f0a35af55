import type { Data } from './data/connect.ts';
import type { GenerationRow } from './data/generation.ts';
import { queuePosition } from './data/generations.ts';
import type { ProfileRow } from './data/profile.ts';
import { presentGeneration, presentSubscription } from './present.ts';
import type { EventRelay } from './relay.ts';

/** Tells a seller's windows how a generation now stands. */
export async function announceGeneration(data: Data, relay: EventRelay, row: GenerationRow): Promise<void> {
  const view = presentGeneration(row, await queuePosition(data, row));
  relay.publish(row.profile, { type: 'generation', view });
}

/** Tells a seller's windows how the plan now stands; nothing when nothing has changed. */
export function announceSubscription(relay: EventRelay, profile: ProfileRow | null): void {
  if (profile) relay.publish(profile._id, { type: 'subscription', view: presentSubscription(profile) });
}
