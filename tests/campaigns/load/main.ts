/**
 * `npm run campaign -- load`: many open windows and a steady stream of submissions on two servers and two workers (docs/load.md).
 * Ends with 1 if a submission was refused, a window missed something, or the audit finds anything. Uses the stores at
 * MONGODB_URL and QUEUE_URL if set, otherwise the local services; `--redis` starts the installed redis-server.
 */
import { readFile } from 'node:fs/promises';
import { readCommandLine, seedOf } from '#scripts/command-line.ts';
import { openBilling } from '#shared/billing/client.ts';
import { openQueue } from '#shared/platform/queue.ts';
import { openStorage } from '#shared/storage/open-storage.ts';
import { awaitIdle } from '#tests/campaigns/chaos/rest.ts';
import { describeMachine } from '#tests/campaigns/support/machine.ts';
import { type CampaignStack, onStack } from '#tests/campaigns/support/stack.ts';
import { filesInFolder } from '#tests/campaigns/support/stored-files.ts';
import { createRandom } from '#tests/support/random.ts';
import { samplePhotoFile } from '#tests/support/sample-photo.ts';
import { createMeasurements } from './measurements.ts';
import { openSellers } from './sellers.ts';
import { submitSteadily } from './submit-steadily.ts';

const { values } = readCommandLine('load', {
  typed: 'npm run campaign -- load',
  about: 'Has many windows open and images submitted steadily, on two servers and two workers.',
  options: {
    sockets: { takes: 'COUNT', default: 2_000, about: 'windows that are open' },
    rate: { takes: 'NUMBER', default: 20, about: 'generations a second, on average' },
    minutes: { takes: 'NUMBER', default: 5, about: 'how long' },
    seed: {
      takes: 'SEED',
      about: 'of the times of submissions and of who submits; drawn and printed unless given',
    },
    redis: { about: 'starts the installed redis-server for the queue' },
  },
});

/** How long the provider takes for an image, in ms. */
const providerMs = 2_000;
/** Twice the calls that are under way on average at 20 generations a second, over two workers. */
const workerConcurrency = 40;
/** How long the last images may take, and then everything else, until nothing happens any more, in ms. */
const restBoundMs = 120_000;

process.exitCode = await main();

/** @returns the exit code */
async function main(): Promise<number> {
  const { sockets, rate, minutes } = values;
  const seed = seedOf(values.seed);
  const redis = values.redis ? ' --redis' : '';
  console.log(
    `npm run campaign -- load --sockets ${sockets} --rate ${rate} --minutes ${minutes} --seed ${seed}${redis}`,
  );
  const options = {
    servers: 2,
    workers: 2,
    onRedis: values.redis,
    settings: { WORKER_CONCURRENCY: String(workerConcurrency) },
  };
  return onStack(options, async (stack) => {
    console.log(
      `${describeMachine()}; queue: ${stack.config.queueUrl.split(':')[0]}; two servers, two workers of ${workerConcurrency}; provider ${providerMs / 1_000} s`,
    );
    await stack.images.set({ default: { kind: 'slow', ms: providerMs } });
    return measure(stack, { sockets, rate, minutes, seed });
  });
}

async function measure(
  stack: CampaignStack,
  { sockets, rate, minutes, seed }: { sockets: number; rate: number; minutes: number; seed: number },
): Promise<number> {
  const { config, db } = stack;
  const queue = openQueue(config);
  const storage = await openStorage(config.storage, db);
  const billing = openBilling(config.billing);
  const measurements = createMeasurements(stack, providerMs);
  const opening = performance.now();
  const sellers = await openSellers({ stack, billing }, sockets, measurements.onState, measurements.onEnded);
  console.log(`${sockets} windows are open after ${((performance.now() - opening) / 1_000).toFixed(0)} s`);
  try {
    const photo = new Blob([new Uint8Array(await readFile(samplePhotoFile))], { type: 'image/png' });
    measurements.begin();
    const submissions = await submitSteadily({
      random: createRandom(seed),
      sellers,
      photo,
      rate,
      seconds: minutes * 60,
      measurements,
    });
    await measurements.allEnded(submissions, restBoundMs);
    measurements.print();
    const sources = {
      stack,
      db,
      queue,
      storage,
      billing,
      files: filesInFolder(stack.storageFolder),
      checkedFolders: new Set<string>(),
    };
    const { violations } = await awaitIdle(sources, sellers, restBoundMs);
    for (const { rule, id, problem } of violations) console.log(`${rule}: ${id}: ${problem}`);
    const count = (isOne: (rule: string) => boolean) => violations.filter(({ rule }) => isOne(rule)).length;
    const disconnects = sellers.reduce((sum, { client }) => sum + client.disconnects, 0);
    const lost = count((rule) => rule === 'the view is the row');
    console.log(
      `lost views ${lost}, lost connections ${disconnects}, requests that failed ${measurements.failed}`,
    );
    console.log(`audit and other rules: ${count((rule) => rule !== 'the view is the row')} violations`);
    return violations.length + disconnects + measurements.failed === 0 ? 0 : 1;
  } finally {
    for (const { client } of sellers) client.close();
    await queue.close();
  }
}
