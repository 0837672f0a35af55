import type { Config } from './config.ts';
import { generationFailures, pages } from './contract/index.ts';
import type { Data } from './data/connect.ts';
import type { GenerationRow } from './data/generation.ts';
import { findSettings } from './data/settings.ts';
import { postMail } from './outbox.ts';
import type { EventRelay } from './relay.ts';

/** Characters of a description that stand for a product without a name. */
const nameCharacters = 60;

/**
 * Writes to the seller of a generation that has succeeded or failed, if they want to be told: once, however often it is
 * called. Whoever cancels one knows it.
 */
export async function mailOfEnd(
  { data, relay, config }: { data: Data; relay: EventRelay; config: Pick<Config, 'linkUrl'> },
  generation: GenerationRow,
): Promise<void> {
  const { _id: id, profile: seller, state, failure } = generation;
  if (state !== 'succeeded' && state !== 'failed') return;
  const settings = await findSettings(data, seller);
  if (!settings?.notifications_enabled || !settings.preferences.notifications.email) return;
  const profile = await data.profiles.findOne({ _id: seller, deletion_asked_at: null }).lean();
  if (!profile) return;
  const details = {
    fullName: profile.full_name,
    productName: generation.product_name || generation.prompt.slice(0, nameCharacters),
    outcome: state,
    ...(failure && { reason: generationFailures[failure.code] }),
    link: `${config.linkUrl}${pages.dashboard}?generation=${id}`,
    settingsLink: config.linkUrl + pages.profile,
  };
  await postMail(data, relay, 'generationEnded', profile.email, details, { id: `generation-${id}` });
}
