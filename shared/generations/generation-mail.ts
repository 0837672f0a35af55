import { generationFailures, pages } from '#contract';
import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { findSettings } from '#shared/data/user-settings.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import type { Config } from '#shared/platform/config.ts';
import type { EventRelay } from '#shared/platform/relay.ts';

/** Characters of the prompt that stand for a missing product name. */
const nameCharacters = 60;

/** The idempotency key of the mail about a generation. */
export const generationMailId = (id: string) => `generation-${id}`;

/**
 * Queues the mail about a generation that has succeeded or failed, if the seller's settings ask for one. Idempotent: the
 * mail's id is made from the generation's.
 * @param seen the seller's profile, if it was read just before
 */
export async function enqueueGenerationMail(
  { db, relay, config }: { db: Db; relay: EventRelay; config: Pick<Config, 'linkUrl'> },
  generation: GenerationRow,
  seen: ProfileRow | null,
): Promise<void> {
  const { _id: id, profile: sellerId, state, failure } = generation;
  if (state !== 'succeeded' && state !== 'failed') return;
  const settings = await findSettings(db, sellerId);
  if (!settings?.notifications_enabled || !settings.preferences.notifications.email) return;
  const profile = seen ?? (await findProfile(db, sellerId));
  if (!profile || profile.deletion_asked_at) return;
  const details = {
    fullName: profile.full_name,
    productName: generation.product_name || generation.prompt.slice(0, nameCharacters),
    outcome: state,
    ...(failure && { reason: generationFailures[failure.code] }),
    link: `${config.linkUrl}${pages.dashboard}?generation=${id}`,
    settingsLink: config.linkUrl + pages.preferences,
  };
  await enqueueMail(db, relay, 'generationEnded', profile.email, details, { id: generationMailId(id) });
}
