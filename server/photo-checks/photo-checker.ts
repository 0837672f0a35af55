import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { photoCheckLimits } from '#contract';
import type { Client } from '#server/decoder/decoder.ts';
import { programFolders } from '#server/decoder/decoder-process.ts';
import type { CheckedProduct, ProductQuestions } from '#shared/cutout/check-product.ts';
import { argumentsOfModel } from '#shared/cutout/model-arguments.ts';
import { type Config, ConfigError } from '#shared/platform/config.ts';
import { createFairQueue } from '#shared/platform/fair-queue.ts';
import { createIdleProcess } from '#shared/platform/idle-process.ts';
import { startJobProcess } from '#shared/platform/job-process.ts';
import type { Log } from '#shared/platform/log.ts';
import type { CheckJobs } from './jobs.ts';

/**
 * Finds out in a process of its own whether products can be cut out of photos. It is advice: nothing waits long for it,
 * and nothing fails without it.
 */
export interface PhotoChecker {
  /**
   * @param photo a small copy
   * @returns null if it could not be checked: too many wait, the process ended or took too long, or it is turned off
   */
  check(client: Client, photo: Uint8Array, questions?: ProductQuestions): Promise<CheckedProduct | null>;
  /** Starts the process if it does not run, and does not wait for it. Without a photo it ends as after one. */
  warmUp(): void;
  /** Loads the model of the installation, if it has one of its own. @throws ConfigError when it cannot be used */
  ready(): Promise<void>;
  /** Id of the running process. */
  pid(): number | undefined;
  /** Kills the process; running and waiting checks give null. */
  close(): Promise<void>;
}

/** Thrown for a check that must wait too long. */
class CheckerBusy extends Error {}

/** After this time without a photo the process ends, and its memory (about 300 MB) is free; in ms. */
const idleMs = 240_000;

export interface PhotoCheckerOptions {
  /** How long a photo may wait, and its check may take, in seconds. */
  waitSeconds?: number;
  seconds?: number;
}

export function createPhotoChecker(
  log: Log,
  config: Pick<Config, 'photoChecks' | 'cutoutModel'>,
  options: PhotoCheckerOptions = {},
): PhotoChecker {
  const { waitSeconds = photoCheckLimits.waitSeconds, seconds = photoCheckLimits.seconds } = options;
  const model = config.cutoutModel;
  const readable = [...programFolders, tmpdir(), ...(model === undefined ? [] : [dirname(model.file)])];
  const queue = createFairQueue({
    // The model takes all of two cores.
    atOnce: 1,
    mostWaiting: photoCheckLimits.waiting,
    mostWaitingOfKey: photoCheckLimits.waitingOfSeller,
    waitSeconds,
    refusal: () => new CheckerBusy('too many photos wait for their check'),
  });
  const program = new URL('main.ts', import.meta.url);
  const start = () => startJobProcess<CheckJobs>(program, { readable, args: argumentsOfModel(model) });
  const jobs = createIdleProcess(start, idleMs);
  let isClosed = false;

  async function ask<Name extends keyof CheckJobs>(name: Name, given: CheckJobs[Name]['given']) {
    const outcome = await jobs.run(name, given, seconds * 1_000);
    if ('error' in outcome) throw new Error(outcome.error);
    return outcome.found;
  }

  return {
    async check({ sellerId, disconnected }, photo, questions = {}) {
      if (!config.photoChecks || isClosed) return null;
      try {
        return await queue({ key: sellerId, signal: disconnected }, async () =>
          isClosed ? null : await ask('check', { photo, questions }),
        );
      } catch (error) {
        if (!disconnected?.aborted && !(error instanceof CheckerBusy) && !isClosed) {
          log.warn({ err: error }, 'a photo was not checked');
        }
        return null;
      }
    },
    warmUp() {
      if (!config.photoChecks || isClosed || jobs.pid() !== undefined) return;
      ask('load', {}).catch((error) => {
        if (!isClosed) log.warn({ err: error }, 'the checks of photos were not started in advance');
      });
    },
    async ready() {
      if (model === undefined || !config.photoChecks) return;
      try {
        await ask('load', {});
      } catch (cause) {
        await jobs.kill();
        throw new ConfigError(`CUTOUT_MODEL: ${(cause as Error).message}. See docs/settings.md.`);
      }
    },
    pid: jobs.pid,
    async close() {
      isClosed = true;
      await jobs.kill();
    },
  };
}
