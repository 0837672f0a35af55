/** What tests of credits work with, below the API: sellers without images, decisions, the reconciler's context. */
import { type PlanId, plans } from '#contract';
import { postPendingEntries } from '#shared/credits/ledger.ts';
import { type Db, newId } from '#shared/data/db.ts';
import { modelsOf } from '#shared/data/models.ts';
import type { WorkerContext } from '#worker/context.ts';
import { createProvider } from '#worker/provider.ts';
import { watchStorage } from '#worker/storage-watch.ts';
import type { UpkeepAges } from '#worker/upkeep.ts';
import type { TestStack } from './stack.ts';

/** A seller on a plan, with so many images to begin with. @returns the profile's id */
export async function poorSeller(db: Db, plan: PlanId, images = 0): Promise<string> {
  const id = newId();
  const now = new Date();
  const monthly = plans[plan].monthlyGenerations ?? 0;
  const start = { key: `start:${id}`, count: images, period: null, at: now, posted: false };
  await modelsOf(db).users.create({
    _id: id,
    email: `${id}@shop.example`,
    password_hash: '-',
    password_changed_at: now,
    created_at: now,
  });
  await modelsOf(db).profiles.create({
    _id: id,
    email: `${id}@shop.example`,
    full_name: 'Poor Seller',
    subscription_plan: plan,
    subscription_status: 'active',
    subscription_id: `sub_${id}`,
    subscription_data: {
      current_period_start: now,
      current_period_end: new Date(now.getTime() + 30 * 86_400_000),
      cancel_at_period_end: false,
      is_trial: false,
    },
    credits: monthly,
    generations_left: images,
    total_generations: monthly,
    granted: images,
    grants: images > 0 ? [start] : [],
    created_at: now,
    updated_at: now,
  });
  await modelsOf(db).userSettings.create({ _id: id, user_id: id, created_at: now, updated_at: now });
  await postPendingEntries(db, id);
  return id;
}

/** Ages for the reconciler: everything that is left undone is old enough, or nothing is. */
export const atOnce: UpkeepAges = {
  requestMs: 0,
  settlementMs: 0,
  jobMs: 0,
  previewsMs: 0,
  signUpMs: 0,
  unverifiedMs: 0,
  deletionMs: 0,
  eventMs: 0,
  renewalMs: 0,
  // Nothing to do with credits; a test's own uploads may be under way.
  uploadMs: 1e9,
};
export const never = Object.fromEntries(
  Object.keys(atOnce).map((age) => [age, 1e9]),
) as unknown as UpkeepAges;

/** What the reconciler works with, on a connection of the test's. */
export function workerContext(stack: TestStack, db: Db = stack.db): WorkerContext {
  const { config, storage, relay, queue, log, billing } = stack.server.context;
  const provider = createProvider(config.image);
  const storageWatch = watchStorage({ config, storage, log });
  return { config, storage, storageWatch, relay, queue, log, billing, db, provider, underWay: new Map() };
}

/** Key of the image that {@link decision} names; a test must store something under it. */
export const decidedImageKey = 'sample.png';

/** A decision as an attempt makes it. */
export function decision(state: 'succeeded' | 'failed') {
  if (state === 'succeeded') {
    const image = { key: decidedImageKey, width: 96, height: 64, bytes: 1 };
    return { state, image, provider: null };
  }
  const unknown = { provider_status: null, provider_code: null, provider_request_id: null };
  return { state, failure: { code: 'GENERATION_FAILED' as const, detail: 'as asked', ...unknown } };
}
