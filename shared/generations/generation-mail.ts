import { generationFailures, pages } from '#contract';
import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findSettings } from '#shared/data/user-settings.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import type { Config } from '#shared/platform/config.ts';
import type { EventRelay } from '#shared/platform/relay.ts';

/** Characters of a description that stand for a product without a name. */
const nameCharacters = 60;

/**
 * Writes to the seller of a generation that has succeeded or failed, if they want to be told: once, however often it is
 * called. Whoever cancels one knows it.
 */
export async function enqueueGenerationMail(
  { db, relay, config }: { db: Db; relay: EventRelay; config: Pick<Config, 'linkUrl'> },
  generation: GenerationRow,
): Promise<void> {
  const { _id: id, profile: sellerId, state, failure } = generation;
  if (state !== 'succeeded' && state !== 'failed') return;
  const settings = await findSettings(db, sellerId);
  if (!settings?.notifications_enabled || !settings.preferences.notifications.email) return;
  const profile = await db.profiles.findOne({ _id: sellerId, deletion_asked_at: null }).lean();
  if (!profile) return;
  const details = {
    fullName: profile.full_name,
    productName: generation.product_name || generation.prompt.slice(0, nameCharacters),
    outcome: state,
    ...(failure && { reason: generationFailures[failure.code] }),
    link: `${config.linkUrl}${pages.dashboard}?generation=${id}`,
    settingsLink: config.linkUrl + pages.profile,
  };
  await enqueueMail(db, relay, 'generationEnded', profile.email, details, { id: `generation-${id}` });
}
