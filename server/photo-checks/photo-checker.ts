import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { photoCheckLimits } from '#contract';
import type { Client } from '#server/decoder/decoder.ts';
import { programFolders } from '#server/decoder/decoder-process.ts';
import type { CheckedProduct } from '#shared/cutout/check-product.ts';
import { argumentsOfModel } from '#shared/cutout/model-arguments.ts';
import { type Config, ConfigError } from '#shared/platform/config.ts';
import { createFairQueue } from '#shared/platform/fair-queue.ts';
import { type JobProcess, startJobProcess } from '#shared/platform/job-process.ts';
import type { Log } from '#shared/platform/log.ts';
import type { CheckJobs } from './jobs.ts';

/**
 * Finds out in a process of its own whether products can be cut out of photos. It is advice: nothing waits long for it,
 * and nothing fails without it.
 */
export interface PhotoChecker {
  /**
   * @param photo a small copy
   * @param drawsCutout whether the product is cut out as well; not unless given
   * @returns null if it could not be checked: too many wait, the process ended or took too long, or it is turned off
   */
  check(client: Client, photo: Uint8Array, drawsCutout?: boolean): Promise<CheckedProduct | null>;
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
    // The model takes a whole core.
    atOnce: 1,
    mostWaiting: photoCheckLimits.waiting,
    mostWaitingOfKey: photoCheckLimits.waitingOfSeller,
    waitSeconds,
    refusal: () => new CheckerBusy('too many photos wait for their check'),
  });
  let current: JobProcess<CheckJobs> | undefined;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;

  function running(): JobProcess<CheckJobs> {
    if (current) return current;
    const started = startJobProcess<CheckJobs>(new URL('main.ts', import.meta.url), {
      readable,
      args: argumentsOfModel(model),
    });
    void started.ended.then(() => {
      if (current === started) current = undefined;
    });
    current = started;
    return started;
  }

  function endIdle(): void {
    const ended = current;
    // At once, so that no photo is given to it any more.
    current = undefined;
    void ended?.kill();
  }

  async function ask<Name extends keyof CheckJobs>(name: Name, given: CheckJobs[Name]['given']) {
    clearTimeout(idle);
    try {
      const outcome = await running().run(name, given, seconds * 1_000);
      if ('error' in outcome) throw new Error(outcome.error);
      return outcome.found;
    } finally {
      idle = setTimeout(endIdle, idleMs).unref();
    }
  }

  return {
    async check({ sellerId, disconnected }, photo, drawsCutout = false) {
      if (!config.photoChecks || isClosed) return null;
      try {
        return await queue({ key: sellerId, signal: disconnected }, async () =>
          isClosed ? null : await ask('check', { photo, drawsCutout }),
        );
      } catch (error) {
        if (!disconnected?.aborted && !(error instanceof CheckerBusy) && !isClosed) {
          log.warn({ err: error }, 'a photo was not checked');
        }
        return null;
      }
    },
    async ready() {
      if (model === undefined || !config.photoChecks) return;
      try {
        await ask('load', {});
      } catch (cause) {
        await current?.kill();
        throw new ConfigError(`CUTOUT_MODEL: ${(cause as Error).message}. See docs/settings.md.`);
      }
    },
    pid: () => current?.pid,
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await current?.kill();
    },
  };
}
