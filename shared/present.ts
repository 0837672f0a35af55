import {
  type GenerationView,
  generatingStatuses,
  generationFailures,
  type Me,
  paths,
  plans,
  type SubscriptionView,
  type UserView,
} from './contract/index.ts';
import { availableImages } from './credits.ts';
import type { GenerationRow } from './data/generation.ts';
import type { ProfileRow } from './data/profile.ts';

/**
 * What a seller sees of a generation, the same over HTTP and over the socket.
 * @param position its place in the queue (`queuePosition`), null unless queued
 */
export function presentGeneration(row: GenerationRow, position: number | null): GenerationView {
  const link = (name: string) => ({
    url: paths.generationImage(row._id, name),
    thumbnailUrl: paths.generationImage(row._id, `${name}-thumbnail`),
  });
  return {
    id: row._id,
    state: row.state,
    revision: row.revision,
    prompt: row.prompt,
    productName: row.product_name,
    photos: row.photos.map((_, index) => link(`photo-${index}`)),
    position: row.state === 'queued' ? position : null,
    progress:
      row.state === 'running' && row.progress
        ? {
            stage: row.progress.stage,
            previews: row.progress.previews,
            previewsExpected: row.progress.previews_expected,
            attempt: Math.max(1, row.calls.started),
          }
        : null,
    previewUrl:
      row.state === 'running' && row.preview_key
        ? paths.generationImage(row._id, fileName(row.preview_key))
        : null,
    image: row.image
      ? {
          ...link('image'),
          downloadUrl: `${paths.generationImage(row._id, 'image')}?download`,
          width: row.image.width,
          height: row.image.height,
        }
      : null,
    failure: row.failure ? { code: row.failure.code, message: generationFailures[row.failure.code] } : null,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}

/** `preview-1-0` of `generations/<id>/preview-1-0.png`. */
function fileName(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).replace(/\.png$/, '');
}

/** What a seller sees of plan and balance, the same over HTTP and over the socket. */
export function presentSubscription(profile: ProfileRow): SubscriptionView {
  const plan = plans[profile.subscription_plan];
  const unlimited = plan.monthlyGenerations === null;
  return {
    plan: profile.subscription_plan,
    status: profile.subscription_status,
    isActive: generatingStatuses.includes(profile.subscription_status),
    unlimited,
    generationsLeft: unlimited ? null : Math.max(0, availableImages(profile)),
    generationsHeld: profile.holds.reduce((sum, hold) => sum + hold.count, 0),
    totalGenerations: plan.monthlyGenerations,
    revision: profile.revision,
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
  };
}

/** Seller, plan and who makes the images. */
export function presentMe(profile: ProfileRow, imageProvider: Me['imageProvider']): Me {
  return { user: presentUser(profile), subscription: presentSubscription(profile), imageProvider };
}
