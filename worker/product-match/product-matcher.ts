import { argumentsOfModel, type ChosenModel } from '#shared/cutout/model-arguments.ts';
import { createIdleProcess, type IdleProcess } from '#shared/platform/idle-process.ts';
import { startJobProcess } from '#shared/platform/job-process.ts';
import type { MatchJobs } from './match-jobs.ts';
import type { MatchPhoto, PhotoMatch } from './match-product.ts';

/**
 * Compares images with photos in processes of its own, each one image at a time. The death of one costs the comparison that
 * it does: the next one gets another process.
 */
export interface ProductMatcher {
  /** How many jobs it may be given at a time. A process starts only when those before it are busy. */
  atOnce: number;
  /** Loads the model. @throws when it cannot be used */
  ready(): Promise<void>;
  /** Cuts the product of a photo out, for `match`. @returns a small file @throws as `match` does */
  cutOut(photo: MatchPhoto): Promise<Uint8Array>;
  /**
   * @param image its path
   * @param cutout of the photo; without one it is cut out again
   * @returns null if no product stands out in the photo
   * @throws when the process ends, takes too long, or cannot compare them
   */
  match(photo: MatchPhoto, image: string, cutout?: Uint8Array): Promise<PhotoMatch | null>;
  /** Ids of the running processes. */
  pids(): number[];
  /** Kills the processes. Running jobs fail. */
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

/**
 * The first process starts with the first photo.
 * @param model of the installation
 * @param atOnce how many processes compare at most
 */
export function createProductMatcher(
  limits: Partial<MatchLimits> = {},
  model?: ChosenModel,
  atOnce = 1,
): ProductMatcher {
  const { processorSeconds, seconds, idleSeconds } = { ...usualLimits, ...limits };
  const program = new URL('main.ts', import.meta.url);
  const start = () => startJobProcess<MatchJobs>(program, { args: argumentsOfModel(model) });
  const processes = Array.from({ length: atOnce }, () => createIdleProcess(start, idleSeconds * 1_000));
  const busy = new Set<IdleProcess<MatchJobs>>();
  let isClosed = false;

  async function answer<Name extends keyof MatchJobs>(name: Name, given: MatchJobs[Name]['given']) {
    if (isClosed) throw new Error('the worker ends');
    const free = processes.find((each) => !busy.has(each));
    if (!free) throw new Error(`more than ${atOnce} jobs at a time`);
    busy.add(free);
    try {
      const outcome: MatchJobs[Name]['outcome'] = await free.run(name, given, seconds * 1_000);
      if ('error' in outcome) throw new Error(outcome.error);
      return outcome.result as Extract<MatchJobs[Name]['outcome'], { result: unknown }>['result'];
    } finally {
      busy.delete(free);
    }
  }

  return {
    atOnce,
    async ready() {
      await answer('load', {});
    },
    cutOut: (photo) => answer('cutOut', { photo, processorSeconds }),
    match: (photo, image, cutout) => answer('compare', { photo, image, cutout, processorSeconds }),
    pids: () => processes.map((each) => each.pid()).filter((pid) => pid !== undefined),
    async close() {
      isClosed = true;
      await Promise.all(processes.map((each) => each.kill()));
    },
  };
}
