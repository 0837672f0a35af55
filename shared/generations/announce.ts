import { applyDecision } from '#shared/credits/holds.ts';
import type { Db } from '#shared/data/db.ts';
import { queuePosition } from '#shared/data/generations/queue-position.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { Config } from '#shared/platform/config.ts';
import type { EventRelay, SellerEvent } from '#shared/platform/relay.ts';
import { enqueueGenerationMail } from './generation-mail.ts';
import { presentGeneration, presentSubscription } from './present.ts';

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
