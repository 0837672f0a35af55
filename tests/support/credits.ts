/** Helpers for tests of credits below the API: sellers, outcomes, upkeep's context. */
import { createHash, randomUUID } from 'node:crypto';
import { type PlanId, plans } from '#contract';
import { postPendingEntries } from '#shared/credits/ledger.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { type Db, newId } from '#shared/data/db.ts';
import type { WorkerContext } from '#worker/context.ts';
import { openDailyBudget } from '#worker/flow/daily-budget.ts';
import { createFairOrder } from '#worker/flow/fair-order.ts';
import { flowOfWorkers } from '#worker/flow/provider-pause.ts';
import { watchStorage } from '#worker/flow/storage-watch.ts';
import { countRecentImages } from '#worker/generate/recent-images.ts';
import { startOpenAi } from '#worker/providers/openai/start.ts';
import type { UpkeepAges } from '#worker/upkeep/upkeep.ts';
import { samplePhoto, uploadedPhoto } from './photos.ts';
import { sampleRequest } from './samples.ts';
import type { Seller } from './seller.ts';
import type { TestStack } from './stack.ts';

/** Makes a seller on a plan with `images` images left, who can still get free images. @returns the seller's id */
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
      plan_since: now,
    },
    credits: monthly,
    generations_left: images,
    total_generations: monthly,
    granted: images,
    free_images: { due: true },
    grants: images > 0 ? [start] : [],
    created_at: now,
    updated_at: now,
  });
  await modelsOf(db).userSettings.create({ _id: id, user_id: id, created_at: now, updated_at: now });
  await postPendingEntries(db, id);
  return id;
}

/** Forfeits a seller's images, as at the end of a month, until so many are left. The ledger stays consistent. */
export async function forfeitUntil(
  stack: TestStack,
  seller: Pick<Seller, 'id'>,
  images: number,
): Promise<void> {
  const { generations_left: left } = (await stack.models.profiles.findById(seller.id).lean())!;
  const count = left - images;
  await stack.models.profiles.updateOne(
    { _id: seller.id },
    { $inc: { generations_left: -count, forfeited: count } },
  );
  const entry = {
    _id: newId(),
    profile: seller.id,
    kind: 'forfeit' as const,
    key: `test:${randomUUID()}`,
    count,
  };
  await stack.models.creditEntries.create({ ...entry, at: new Date() });
}

/** Gives a seller free images, as the first session of an account does. The ledger stays consistent. */
export async function giveFreeImages(
  { models }: TestStack,
  seller: Pick<Seller, 'id'>,
  count: number,
): Promise<void> {
  const grant = { key: `free:${seller.id}`, count, period: null, at: new Date() };
  await models.profiles.updateOne(
    { _id: seller.id },
    {
      $set: { free_images: { due: false, granted: count, left: count } },
      $inc: { granted: count },
      $push: { grants: { ...grant, posted: true } },
    },
  );
  await models.creditEntries.create({ _id: randomUUID(), profile: seller.id, kind: 'grant', ...grant });
}

/** A request for so many images of the sample photo, as `submitForm` takes it. */
export async function sampleSubmission(
  stack: TestStack,
  sellerId: string,
  { takes = 1, key = randomUUID() as string } = {},
) {
  const fields = sampleRequest('On a table', takes);
  return { sellerId, idempotencyKey: key, fields, files: [await uploadedPhoto(stack.storageFolder)] };
}

/** Ages with which upkeep treats all unfinished work as overdue. */
export const atOnce: UpkeepAges = {
  requestMs: 0,
  settlementMs: 0,
  jobMs: 0,
  previewsMs: 0,
  trashedMs: 0,
  // Not this one: the test's own batches are being uploaded.
  unstartedBatchMs: 1e9,
  signUpMs: 0,
  unverifiedMs: 0,
  deletionMs: 0,
  eventMs: 0,
  renewalMs: 0,
  // Not this one: the test's own uploads may be in progress.
  uploadMs: 1e9,
};
/** Ages with which upkeep treats nothing as overdue. */
export const never = Object.fromEntries(
  Object.keys(atOnce).map((age) => [age, 1e9]),
) as unknown as UpkeepAges;

/** The context that upkeep's functions take, without starting a worker. */
export function workerContext(stack: TestStack, db: Db = stack.db): WorkerContext {
  const { config, storage, relay, queue, log, billing } = stack.server.context;
  const provider = startOpenAi(config.image);
  const storageWatch = watchStorage({ config, storage, log });
  const fairOrder = createFairOrder({ db, queue, relay, log });
  const budget = openDailyBudget({ db, config, log });
  const own = {
    budget,
    fairOrder,
    flow: flowOfWorkers({ db, queue, config, log }),
    storageWatch,
    provider,
    comparisons: null,
    credentials: null,
    underWay: new Map(),
    recentImages: countRecentImages(),
  };
  return { config, storage, relay, queue, log, billing, db, ...own };
}

/** The image in {@link decision}: the test must store it under its key. */
export const decidedImageKey = 'sample.png';
export const decidedImage = await samplePhoto();

/** The outcome of an attempt. */
export function decision(state: 'succeeded' | 'failed') {
  if (state === 'succeeded') {
    const sha256 = createHash('sha256').update(decidedImage).digest('hex');
    const image = { key: decidedImageKey, width: 96, height: 64, bytes: decidedImage.length, sha256 };
    return { state, image, provider: null };
  }
  const unknown = { provider_status: null, provider_code: null, provider_request_id: null };
  return { state, failure: { code: 'GENERATION_FAILED' as const, detail: 'as asked', ...unknown } };
}
