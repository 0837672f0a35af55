/** What tests of credits work with, below the API: sellers without images, decisions, the reconciler's context. */
import { type PlanId, plans } from '../../shared/contract/index.ts';
import { type Data, newId } from '../../shared/data/connect.ts';
import type { WorkerContext } from '../../worker/context.ts';
import { createProvider } from '../../worker/provider.ts';
import type { TestStack } from './stack.ts';

/** A seller without a single image. @returns the profile's id */
export async function poorSeller(data: Data, plan: PlanId): Promise<string> {
  const id = newId();
  const now = new Date();
  await data.users.create({
    _id: id,
    email: `${id}@shop.example`,
    password_hash: '-',
    created_at: now,
  });
  await data.profiles.create({
    _id: id,
    email: `${id}@shop.example`,
    full_name: 'Poor Seller',
    subscription_plan: plan,
    subscription_status: 'active',
    credits: 0,
    generations_left: 0,
    total_generations: plans[plan].monthlyGenerations ?? 0,
    granted: 0,
    created_at: now,
    updated_at: now,
  });
  return id;
}

/** What the reconciler works with, on a connection of the test's. */
export function workerContext(stack: TestStack, data: Data = stack.data): WorkerContext {
  const { config, storage, relay, queue, log } = stack.server.context;
  const provider = createProvider(config.image);
  return { config, storage, relay, queue, log, data, provider, underWay: new Map() };
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
