/** Faults of whole processes: they are killed, stop, or are replaced by others. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { serverNames, workerNames } from '#tests/campaigns/support/hops.ts';
import type { CampaignProcess } from '#tests/campaigns/support/processes.ts';
import type { ProxiedStack } from '#tests/campaigns/support/stack.ts';
import type { Random } from '#tests/support/random.ts';
import type { Fault } from '../fault.ts';

type Choose = (stack: ProxiedStack, random: Random) => CampaignProcess;

const server: Choose = ({ programs }, random) => programs[random.pick(serverNames)];
const worker: Choose = ({ programs }, random) => programs[random.pick(workerNames)];
const service =
  (name: keyof ProxiedStack['services']): Choose =>
  ({ services }) =>
    services[name];

/** SIGKILL, and a start at the end. */
const killed = (name: string, hop: string, choose: Choose): Fault => ({
  name: `kill-${name}`,
  hop,
  async begin(stack, random) {
    const chosen = choose(stack, random);
    await chosen.kill();
    return () => chosen.start();
  },
});

/** SIGTERM, as a deployment sends it, and a start at the end. */
const terminated = (name: string, hop: string, choose: Choose): Fault => ({
  name: `terminate-${name}`,
  hop,
  async begin(stack, random) {
    const chosen = choose(stack, random);
    const ended = chosen.terminate();
    return async () => {
      await ended;
      await chosen.start();
    };
  },
});

/** SIGSTOP and SIGCONT: to others it looks dead, and it goes on afterwards as if nothing had happened. */
const paused = (name: string, hop: string, choose: Choose, longestMs?: number): Fault => ({
  name: `pause-${name}`,
  hop,
  ...(longestMs !== undefined && { longestMs }),
  async begin(stack, random) {
    const chosen = choose(stack, random);
    chosen.pause();
    return async () => chosen.resume();
  },
});

/** How long a worker is waited for that gets an image, in ms. */
const imageWaitMs = 800;

/**
 * A worker stops at the moment at which it gets an image, and goes on when another worker makes the image again. Its lease
 * is a second, and another one takes over soon after that.
 */
const pausedWithImage: Fault = {
  name: 'pause-worker-with-image',
  hop: 'worker',
  shortestMs: 1_400,
  longestMs: 3_000,
  // The only one that shows whether an attempt that was taken over can still write.
  weight: 3,
  async begin({ hops, programs }, random) {
    const name = random.pick(workerNames);
    const given = new AbortController();
    await Promise.race([
      hops[`${name}→images`].answered('image_edit.completed', given.signal),
      wait(imageWaitMs),
    ]);
    given.abort();
    programs[name].pause();
    return async () => programs[name].resume();
  },
};

/** A worker is replaced by one that loads a module first, and by a usual one at the end. */
const replaced = (name: string, preload: string): Fault => ({
  name,
  hop: 'worker',
  async begin(stack, random) {
    const chosen = worker(stack, random);
    await chosen.terminate();
    await chosen.start({ imports: [join(import.meta.dirname, '../preload', preload)] });
    return async () => {
      await chosen.terminate();
      await chosen.start();
    };
  },
});

export const processFaults: readonly Fault[] = [
  killed('server', 'server', server),
  killed('worker', 'worker', worker),
  terminated('server', 'server', server),
  terminated('worker', 'worker', worker),
  paused('server', 'server', server),
  // Longer than its lease: another worker takes over.
  paused('worker', 'worker', worker, 2_000),
  pausedWithImage,
  replaced('clock-ahead', 'clock-ahead.ts'),
  replaced('clock-behind', 'clock-behind.ts'),
  replaced('old-worker', 'old-worker.ts'),
  killed('mongo', 'MongoDB', service('mongo')),
  paused('mongo', 'MongoDB', service('mongo')),
  killed('queue', 'queue', service('queue')),
  paused('queue', 'queue', service('queue')),
  killed('stripe', 'Stripe', service('stripe')),
  killed('mail', 'mail service', service('mail')),
];
