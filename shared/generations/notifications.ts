import { failureMessage, hasEnded, pages, plans } from '#contract';
import { mayGenerate } from '#shared/credits/holds.ts';
import { knownWithoutMails, wantsImageMails } from '#shared/data/accounts/user-settings.ts';
import type { Db } from '#shared/data/db.ts';
import { findTakes } from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import {
  findNotification,
  insertNotification,
  type NewNotification,
  type NotificationRow,
  removeProductName,
} from '#shared/data/notifications.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { unsubscribeLink } from '#shared/mail/unsubscribe.ts';
import type { Config } from '#shared/platform/config.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import { notify } from '#shared/views/announce.ts';
import { tellOfBalance } from '#shared/webhooks/tell.ts';

/* Notifications that settling writes (docs/decisions/0056-notifications.md). Each is written once. */

interface NotificationContext {
  db: Db;
  relay: EventRelay;
  config: Pick<Config, 'billing' | 'dailyImages'>;
}

/** Characters of the prompt that stand for a missing product name. */
const nameCharacters = 60;

/** The balance is low when this fraction of the plan's monthly number is left. */
const lowFraction = 0.1;

/** The key of the notification about a generation that has ended; all takes of a request share one. */
export const endKey = (generation: GenerationRow) => `ended:${generation.set.id}`;

/**
 * Writes the notification that a request has ended: one for all its takes, when the last one has ended. None if all were
 * cancelled. It is announced with the generation.
 * @param generation one that has ended
 * @returns the notification; null when there is none, or it was written before
 */
export async function insertEndNotification(
  db: Db,
  generation: GenerationRow,
): Promise<NotificationRow | null> {
  const { id, size } = generation.set;
  const takes = size === 1 ? [generation] : await findTakes(db, [id]);
  if (takes.some(({ state }) => !hasEnded(state))) return null;
  const made = takes.filter(({ state }) => state === 'succeeded').length;
  const failure = takes.find(({ state }) => state === 'failed')?.failure;
  const about = {
    profile: generation.profile,
    key: endKey(generation),
    generation: id,
    set: size > 1 ? id : null,
  };
  const productName = generation.product_name || generation.prompt.slice(0, nameCharacters);
  if (made > 0) {
    const data = { product_name: productName, made, asked: size };
    return insertNotification(db, { ...about, kind: 'image-ready', data });
  }
  if (!failure) return null;
  const { code, moderation } = failure;
  const data = { product_name: productName, asked: size, failure: code, ...(moderation && { moderation }) };
  return insertNotification(db, { ...about, kind: 'image-failed', data });
}

/** Removes the texts of a deleted generation from its notification. */
export function forgetInNotification(db: Db, generation: GenerationRow): Promise<void> {
  return removeProductName(db, generation.profile, endKey(generation));
}

/**
 * Notifies a seller once in each paid period that few images of the plan are left; without a plan, once that the last free
 * image is left or used.
 * @param settled the profile after an image was used; null if another process has settled it before: then it is read
 */
export async function notifyOfBalance(
  context: NotificationContext,
  sellerId: string,
  settled: ProfileRow | null,
): Promise<void> {
  const profile = settled ?? (await findProfile(context.db, sellerId));
  if (!profile) return;
  const period = profile.subscription_data;
  if (!period || !mayGenerate(profile, new Date())) return notifyOfFreeImages(context, profile);
  const monthly = plans[profile.subscription_plan].monthlyGenerations;
  const { generations_left: left, subscription_id: subscription } = profile;
  if (monthly === null || left > monthly * lowFraction) return;
  await notifyOnce(context, profile, `low-balance:${subscription}:${period.current_period_start.getTime()}`, {
    left,
    renews_at: period.cancel_at_period_end ? null : period.current_period_end,
  });
}

async function notifyOfFreeImages(context: NotificationContext, profile: ProfileRow): Promise<void> {
  const { granted, left } = profile.free_images;
  if (granted === 0 || left > 1) return;
  await notifyOnce(context, profile, `low-free:${profile._id}`, { left, renews_at: null, free: true });
}

/** Notifies a seller and their webhooks that few images are left. The notification is written last: after it, nothing is repeated. */
async function notifyOnce(
  context: NotificationContext,
  profile: ProfileRow,
  key: string,
  data: Extract<NewNotification, { kind: 'low-balance' }>['data'],
): Promise<void> {
  const { _id: sellerId } = profile;
  if (await findNotification(context.db, sellerId, key)) return;
  await tellOfBalance(context, profile, key);
  const about = { profile: sellerId, key, generation: null, set: null };
  await notify(context, { ...about, kind: 'low-balance', data });
}

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
  if (!wantsImageMails(await knownWithoutMails(db, sellerId))) return;
  const profile = seen ?? (await findProfile(db, sellerId));
  if (!profile || profile.deletion_asked_at || profile.disabled_at) return;
  const unsubscribe = await unsubscribeLink({ db, config }, { kind: 'generationEnded', sellerId });
  const details = {
    fullName: profile.full_name,
    productName: generation.product_name || generation.prompt.slice(0, nameCharacters),
    outcome: state,
    ...(failure && { reason: failureMessage(failure) }),
    link: `${config.linkUrl}${pages.dashboard}?generation=${id}`,
    settingsLink: config.linkUrl + pages.preferences,
    unsubscribeLink: unsubscribe,
  };
  const options = { id: generationMailId(id), unsubscribe };
  await enqueueMail(db, relay, 'generationEnded', profile.email, details, options);
}
