import type { Config } from './config.ts';
import { applyDecision } from './credits.ts';
import type { Db } from './data/connect.ts';
import type { GenerationRow } from './data/generation.ts';
import type { ProfileRow } from './data/profile.ts';
import { queuePosition } from './data/queue-position.ts';
import { enqueueGenerationMail } from './generation-mail.ts';
import { presentGeneration, presentSubscription } from './present.ts';
import type { EventRelay, SellerEvent } from './relay.ts';

/**
 * Tells a seller's windows what has changed, in one event.
 * @param changed the generation as it now stands; the profile where its balance changed
 */
export async function announce(
  { db, relay }: { db: Db; relay: EventRelay },
  sellerId: string,
  changed: { generation?: GenerationRow; profile?: ProfileRow | null },
): Promise<void> {
  const { generation, profile } = changed;
  const event: SellerEvent = {
    ...(generation && {
      generation: presentGeneration(generation, await queuePosition(db, generation)),
    }),
    ...(profile && { subscription: presentSubscription(profile) }),
  };
  if (event.generation || event.subscription) relay.publish(sellerId, event);
}

/**
 * Lets balance and ledger follow the decision on a generation that has ended, and tells its seller as soon as the
 * balance is right; last comes the mail, for sellers who want one. May be replayed.
 */
export async function followDecision(
  context: { db: Db; relay: EventRelay; config: Pick<Config, 'linkUrl'> },
  generation: GenerationRow,
): Promise<void> {
  await applyDecision(
    context.db,
    generation,
    (profile) => announce(context, generation.profile, { generation, profile }),
    () => enqueueGenerationMail(context, generation),
  );
}
