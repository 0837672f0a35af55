/**
 * The stores that integration and browser tests run against: those that TEST_MONGODB_URL and TEST_QUEUE_URL name, else
 * containers if there is an engine, else the local stand-ins. Vitest calls this for each project; all share one set.
 */
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { givenTestStores } from '#scripts/test/given-stores.ts';
import { containerEngineAnswers, startMongoContainer, startRedisContainer } from './containers.ts';
import { type Store, startLocalMongo, startLocalQueue } from './local-stores.ts';
import { findRedis, startRedis } from './redis.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of MongoDB, without a database in its path: each test file has its own. */
    mongodbUrl: string;
    /** Address of the project's queue store: `postgres://…` or `redis://…`. */
    queueUrl: string;
  }
}

type Start = () => Promise<Store>;

/** How to start each store; `redis` is undefined where there is none. */
export interface StorePlan {
  mongo: Start;
  postgres: Start;
  redis: Start | undefined;
}

/** Decides where the stores come from, without starting any. */
export async function planStores(): Promise<StorePlan> {
  const { mongodbUrl, queueUrl, mongoImage, redisImage } = givenTestStores();
  const given = (url: string, setting: string): Start => {
    return async () => ({ url, source: `from ${setting}`, close: async () => {} });
  };
  const redisGiven = queueUrl !== undefined && /^rediss?:/.test(queueUrl);
  const engine = await containerEngineAnswers();
  const redisProgram = await findRedis();
  const fromEngine = engine ? () => startRedisContainer(redisImage) : undefined;
  const fromProgram = redisProgram === undefined ? undefined : () => startRedis(redisProgram);
  return {
    mongo:
      mongodbUrl !== undefined
        ? given(mongodbUrl, 'TEST_MONGODB_URL')
        : engine
          ? firstThatStarts(() => startMongoContainer(mongoImage), startLocalMongo)
          : startLocalMongo,
    postgres: queueUrl !== undefined && !redisGiven ? given(queueUrl, 'TEST_QUEUE_URL') : startLocalQueue,
    redis: redisGiven
      ? given(queueUrl, 'TEST_QUEUE_URL')
      : fromEngine !== undefined && fromProgram !== undefined
        ? firstThatStarts(fromEngine, fromProgram)
        : (fromEngine ?? fromProgram),
  };
}

/** Starts `preferred`, or `fallback` if that fails: a container needs an image, which needs a registry. */
function firstThatStarts(preferred: Start, fallback: Start): Start {
  return async () => {
    try {
      return await preferred();
    } catch (error) {
      const store = await fallback();
      const reason = String((error as Error).message ?? error).split('\n')[0];
      return { ...store, source: `${store.source}, because no container could be started: ${reason}` };
    }
  };
}

type StoreName = keyof StorePlan;

/** The stores of this run. Vitest loads this file once per project, so they are kept on `globalThis`. */
interface RunStores {
  plan: Promise<StorePlan>;
  started: Map<StoreName, Promise<Store>>;
  users: number;
}
const shared = globalThis as typeof globalThis & { packshotTestStores?: RunStores };

/** Global set-up of a project: starts the stores that it needs and that are not running yet. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.packshotTestStores ??= { plan: planStores(), started: new Map(), users: 0 };
  const run = shared.packshotTestStores;
  run.users += 1;
  const queue: StoreName = project.name === 'redis' ? 'redis' : 'postgres';
  try {
    const [mongodb, queueStore] = await Promise.all([storeOf(run, 'mongo'), storeOf(run, queue)]);
    project.provide('mongodbUrl', mongodb.url);
    project.provide('queueUrl', queueStore.url);
  } catch (error) {
    await release(run);
    throw error;
  }
  return () => release(run);
}

const labels: Record<StoreName, string> = { mongo: 'MongoDB', postgres: 'PostgreSQL', redis: 'Redis' };

async function storeOf(run: RunStores, name: StoreName): Promise<Store> {
  const known = run.started.get(name);
  if (known !== undefined) return known;
  const starting = run.plan.then(async (plan) => {
    const start = plan[name];
    if (start === undefined) throw new Error(`there is no ${labels[name]} on this machine`);
    const store = await start();
    console.log(`tests: ${labels[name]}: ${store.source}`);
    return store;
  });
  run.started.set(name, starting);
  return starting;
}

async function release(run: RunStores): Promise<void> {
  run.users -= 1;
  if (run.users > 0) return;
  delete shared.packshotTestStores;
  const stores = await Promise.allSettled(run.started.values());
  await Promise.all(stores.map((store) => (store.status === 'fulfilled' ? store.value.close() : undefined)));
}
