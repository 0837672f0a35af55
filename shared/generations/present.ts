import {
  type CreditEntryView,
  editGeometry,
  type GenerationView,
  type Me,
  paths,
  plans,
  type RemovedGeneration,
  type SessionView,
  type Settings,
  type SubscriptionView,
  settingsSchema,
  type TimeLeft,
  type UserView,
} from '#contract';
import { freeImagesKey } from '#shared/credits/free-images-key.ts';
import { availableFreeImages, availableImages, heldImages, mayGenerate } from '#shared/credits/holds.ts';
import type { CreditEntryRow } from '#shared/data/credit-entries.ts';
import type { Edits, GenerationRow, StoredImage } from '#shared/data/generations/schema.ts';
import type { ShownGeneration } from '#shared/data/generations/shown-fields.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { SessionRow } from '#shared/data/sessions.ts';
import { themeOf, type UserSettingsRow } from '#shared/data/user-settings.ts';
import type { Config } from '#shared/platform/config.ts';
import { imageCapabilitiesOf } from '#shared/platform/image-models.ts';
import { promptOf } from './generation-options.ts';
import { presentFailure } from './present-failure.ts';
import { presentProgress } from './present-progress.ts';
import { presentUnreachable } from './present-unreachable.ts';
import { remakeOffer } from './remake-offer.ts';
import { usesImage } from './uses-image.ts';

/**
 * What a seller sees of a generation, the same over HTTP and over the socket.
 * @param position its position in the queue (shared/data/generations/queue-position.ts); null unless queued
 * @param timeLeft when it is expected (estimate.ts)
 * @param isHeldUp whether the image provider accepts no calls, which holds up what is queued
 * @throws when its state is `receiving`, which no seller sees
 */
export function presentGeneration(
  row: ShownGeneration,
  position: number | null,
  timeLeft: TimeLeft | null = null,
  isHeldUp = false,
): GenerationView {
  const { state } = row;
  if (state === 'receiving') throw new Error(`generation ${row._id} is not visible yet`);
  const link = (name: string) => ({
    url: paths.generationImage(row._id, name),
    thumbnailUrl: paths.generationImage(row._id, `${name}-thumbnail`),
  });
  const download = (name: string) => `${paths.generationImage(row._id, name)}?download`;
  const presentEdits = (image: StoredImage, { version, recipe }: Edits): GenerationView['edits'] => {
    const { width, height } = editGeometry(image, recipe);
    const name = editedName(version);
    return { version, recipe, ...link(name), downloadUrl: download(name), width, height };
  };
  return {
    id: row._id,
    state,
    revision: row.revision,
    set: row.set,
    projectId: row.project ?? row.profile,
    batchId: row.batch?.id ?? null,
    prompt: row.prompt,
    productName: row.product_name,
    sku: row.sku ?? '',
    photos: row.photos.map(({ warnings }, index) => ({
      ...link(`photo-${index}`),
      warnings,
    })),
    photosShow: row.photos_show,
    options: row.options,
    composedPrompt: promptOf(row),
    position: state === 'queued' ? position : null,
    timeLeft,
    progress: presentProgress(row, isHeldUp),
    previewUrl:
      state === 'running' && row.preview_key
        ? paths.generationImage(row._id, previewName(row.preview_key))
        : null,
    image: row.image
      ? {
          ...link('image'),
          downloadUrl: download('image'),
          width: row.image.width,
          height: row.image.height,
        }
      : null,
    edits: row.image && row.edits ? presentEdits(row.image, row.edits) : null,
    favourite: row.favourite ?? false,
    match: row.match ?? null,
    remake: remakeOffer(row),
    remakeOf: row.remake_of ?? null,
    parentId: row.parent ?? null,
    rootId: row.root ?? row._id,
    change: row.change ? { instruction: row.change.instruction, masked: row.change.mask_key !== null } : null,
    failure: presentFailure(row),
    imageUsed: usesImage(row),
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}

/** What a seller's windows are told about a generation that was deleted. */
export function presentRemoved({ _id: id, revision }: GenerationRow): RemovedGeneration {
  return { id, revision };
}

/** The name that a seller asks for a preview by: `preview-1-0` of `generations/<id>/preview-1-0.webp`. */
export function previewName(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).replace(/\.[a-z]+$/, '');
}

/** The name that a seller asks for an edited image by. */
export function editedName(version: number): string {
  return `edited-${version}`;
}

/** What a seller sees of plan, balance and billing, the same over HTTP and over the socket. */
export function presentSubscription(profile: ProfileRow): SubscriptionView {
  const { subscription_plan: plan, subscription_status: status, subscription_data: details } = profile;
  const monthly = plans[plan].monthlyGenerations;
  const freeLeft = availableFreeImages(profile);
  const iso = (date: Date | null | undefined) => date?.toISOString() ?? null;
  return {
    plan,
    status,
    isActive: status === 'active',
    canGenerate: mayGenerate(profile, new Date()),
    isCancelled: status === 'canceled' || details?.cancel_at_period_end === true,
    unlimited: monthly === null,
    generationsLeft: monthly === null ? null : Math.max(0, availableImages(profile)),
    generationsHeld: heldImages(profile),
    freeImages: {
      granted: profile.free_images.granted + profile.support.added,
      left: freeLeft,
      held: profile.free_images.left - freeLeft,
      due: profile.free_images.due,
    },
    totalGenerations: monthly,
    currentPeriodEnd: iso(details?.current_period_end),
    cancelAtPeriodEnd: details?.cancel_at_period_end ?? false,
    paymentMethod: details?.payment_method ?? null,
    last4: details?.last4 ?? null,
    cardBrand: details?.card_brand ?? null,
    isTrial: details?.is_trial ?? false,
    trialEnd: iso(details?.trial_end),
    nextPlan: details?.next_plan
      ? { plan: details.next_plan.plan, at: details.next_plan.at.toISOString() }
      : null,
    graceUntil: iso(profile.grace_until),
    hasBilling: profile.stripe_customer_id !== null,
    revision: profile.revision,
  };
}

/**
 * A line of the ledger.
 * @param generation the one that it is about, null when it is about a paid period or free images, or the
 *   generation is gone
 */
export function presentCreditEntry(row: CreditEntryRow, generation: GenerationRow | null): CreditEntryView {
  const { period } = row;
  return {
    id: row._id,
    kind: row.kind,
    count: row.count,
    free: row.key === freeImagesKey(row.profile),
    at: row.at.toISOString(),
    generation: generation && {
      id: generation._id,
      name: generation.deletion ? 'Deleted image' : generation.product_name || generation.prompt.slice(0, 60),
      state: generation.state,
    },
    period: period && {
      plan: period.plan,
      start: period.start.toISOString(),
      end: period.end.toISOString(),
    },
  };
}

/** The signed-in seller. */
export function presentUser(profile: ProfileRow): UserView {
  return {
    id: profile._id,
    email: profile.email,
    fullName: profile.full_name,
    displayName: profile.full_name || profile.email.split('@')[0] || 'User',
    memberSince: profile.created_at.toISOString(),
    twoFactorEnabled: profile.two_factor_enabled,
    operator: profile.operator_since !== undefined,
    emailUnreachable: presentUnreachable(profile),
  };
}

/** A seller's settings. */
export function presentSettings(row: UserSettingsRow): Settings {
  const { preferences } = row;
  return settingsSchema.parse({
    theme: themeOf(row),
    language: preferences.language,
    imageQuality: row.image_quality,
    notificationsEnabled: row.notifications_enabled,
    emailNotifications: preferences.notifications.email,
    pushNotifications: preferences.notifications.push,
    securityNotifications: row.security_notifications,
    activityLogging: row.activity_logging,
    sessionTimeoutMinutes: row.session_timeout,
    passwordExpiryDays: row.password_expiry_days,
    autoSave: row.auto_save,
  });
}

/** An open session. @param currentId the one that asks */
export function presentSession(row: SessionRow, currentId: string): SessionView {
  return {
    id: row._id,
    device: row.device,
    address: row.address,
    startedAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    current: row._id === currentId,
  };
}

/** Seller, plan, settings and who makes the images. */
export function presentMe(
  profile: ProfileRow,
  settings: UserSettingsRow,
  unreadNotifications: number,
  image: Pick<Config['image'], 'provider' | 'model'>,
): Me {
  return {
    user: presentUser(profile),
    subscription: presentSubscription(profile),
    settings: presentSettings(settings),
    unreadNotifications,
    imageProvider: image.provider,
    imageCapabilities: imageCapabilitiesOf(image),
  };
}
