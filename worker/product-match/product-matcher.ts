import { argumentsOfModel, type ChosenModel } from '#shared/cutout/model-arguments.ts';
import { createIdleProcess } from '#shared/platform/idle-process.ts';
import { startJobProcess } from '#shared/platform/job-process.ts';
import type { MatchJobs, MatchOutcome } from './match-jobs.ts';
import type { MatchPhoto, PhotoMatch } from './match-product.ts';

/**
 * Compares images with photos in a process of its own. Its death costs the comparison that it does: the next one gets another
 * process.
 */
export interface ProductMatcher {
  /** Loads the model. @throws when it cannot be used */
  ready(): Promise<void>;
  /** Finds the product of a photo in advance. @throws as `match` does */
  prepare(photo: MatchPhoto): Promise<void>;
  /**
   * @param image its path
   * @returns null if no product stands out in the photo
   * @throws when the process ends, takes too long, or cannot compare them
   */
  match(photo: MatchPhoto, image: string): Promise<PhotoMatch | null>;
  /** Id of the running process. */
  pid(): number | undefined;
  /** Kills the process. A running job fails. */
  close(): Promise<void>;
}

/** When a comparison is given up. Nobody waits for it, so the limits are far from what a slow machine needs. */
export interface MatchLimits {
  /**
   * Processor time for one photo, in seconds, for code that never returns. It takes 0.5 s, and 1.5 s with the model: the
   * machine may be 40 times slower, and what else it does makes no difference.
   */
  processorSeconds: number;
  /**
   * Time for one photo, in seconds, for a process that stands still and so uses no processor time. One that gets a
   * hundredth of a processor is done before.
   */
  seconds: number;
  /** After this time without a photo, in seconds, the process ends, and its memory (about 600 MB) is free. */
  idleSeconds: number;
}
const usualLimits: MatchLimits = { processorSeconds: 60, seconds: 600, idleSeconds: 240 };

/** The process starts with the first photo. Jobs must be given one at a time. @param model of the installation */
export function createProductMatcher(limits: Partial<MatchLimits> = {}, model?: ChosenModel): ProductMatcher {
  const { processorSeconds, seconds, idleSeconds } = { ...usualLimits, ...limits };
  const program = new URL('main.ts', import.meta.url);
  const start = () => startJobProcess<MatchJobs>(program, { args: argumentsOfModel(model) });
  const jobs = createIdleProcess(start, idleSeconds * 1_000);
  let isClosed = false;

  async function answer<Name extends keyof MatchJobs>(name: Name, given: MatchJobs[Name]['given']) {
    if (isClosed) throw new Error('the worker ends');
    const outcome: MatchOutcome = await jobs.run(name, given, seconds * 1_000);
    if ('error' in outcome) throw new Error(outcome.error);
    return outcome.match;
  }

  return {
    async ready() {
      await answer('load', {});
    },
    async prepare(photo) {
      await answer('prepare', { photo, processorSeconds });
    },
    match: (photo, image) => answer('compare', { photo, image, processorSeconds }),
    pid: jobs.pid,
    async close() {
      isClosed = true;
      await jobs.kill();
    },
  };
}
