import {
  type BatchSummary,
  type GenerationView,
  type V1Balance,
  type V1Batch,
  type V1Generation,
  v1Paths,
} from '#contract';
import { leftToday } from '#shared/credits/daily-limit.ts';
import { availableInAll, heldImages } from '#shared/credits/holds.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { isTestSeller } from '#shared/data/test-seller.ts';
import type { Config } from '#shared/platform/config.ts';

/* What version 1 of the API shows, and what webhooks are sent. */

/** A generation as version 1 of the API has it, from what the web app shows. */
export function presentV1(view: GenerationView): V1Generation {
  const { id, image, edits, match, failure } = view;
  const shown = edits ?? image;
  return {
    id,
    mode: view.isTest ? 'test' : 'live',
    state: view.state,
    set: view.set,
    prompt: view.prompt,
    productName: view.productName,
    sku: view.sku,
    projectId: view.projectId,
    favourite: view.favourite,
    options: view.options,
    position: view.position,
    timeLeft: view.timeLeft,
    progress: view.progress,
    image: shown && { url: v1Paths.image(id), width: shown.width, height: shown.height },
    match: match?.level ?? null,
    remake: view.remake,
    failure: failure && { code: failure.code, message: failure.message, help: failure.help },
    imageUsed: view.imageUsed,
    parentId: view.parentId ?? view.remakeOf,
    change: view.change,
    edits: edits && { version: edits.version, recipe: edits.recipe },
    createdAt: view.createdAt,
    startedAt: view.startedAt,
    endedAt: view.endedAt,
  };
}

/** How many images a seller can ask for now. */
export function presentBalance(
  profile: ProfileRow,
  { billing, dailyImages }: Pick<Config, 'billing' | 'dailyImages'>,
): V1Balance {
  const { subscription_data: details } = profile;
  const renews = details && !details.cancel_at_period_end;
  const today = leftToday(profile, dailyImages);
  // Tests are limited by the day alone.
  const inAll = isTestSeller(profile._id) ? today : null;
  return {
    plan: profile.subscription_plan,
    left: inAll ?? availableInAll(profile, billing.fairUse),
    onHold: heldImages(profile),
    leftToday: today,
    renewsAt: renews ? details.current_period_end.toISOString() : null,
  };
}

/** A batch as version 1 of the API has it, from what the web app shows. @param round of its row */
export function presentV1Batch(view: BatchSummary, round: number): V1Batch {
  const { images: total, ...images } = view.counts;
  return {
    id: view.id,
    name: view.name,
    projectId: view.projectId,
    state: view.state,
    cancelled: view.cancelled,
    pausedBecause: view.pausedBecause,
    waitsUntil: view.waitsUntil ?? null,
    rows: view.rows,
    round,
    images: { total, ...images },
    timeLeft: view.timeLeft,
    createdAt: view.createdAt,
    endedAt: view.endedAt,
    removedAt: view.removedAt,
  };
}
