import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { sketchLimits } from '#contract';
import { programFolders } from '#server/decoder/decoder-process.ts';
import { argumentsOfModel } from '#shared/cutout/model-arguments.ts';
import type { Config } from '#shared/platform/config.ts';
import { createFairQueue } from '#shared/platform/fair-queue.ts';
import { createIdleProcess } from '#shared/platform/idle-process.ts';
import { startJobProcess } from '#shared/platform/job-process.ts';
import type { Log } from '#shared/platform/log.ts';
import { type RefusedSketch, type Sketches, type SketchJobs, scenesFolder } from './jobs.ts';

/**
 * Draws the sketches of visitors in a process of its own, one at a time. It has no queue in common with sellers, and is the
 * first to be without processor time and memory, so that their work never waits for it.
 */
export interface Sketcher {
  /**
   * @param network of the visitor: networks take turns
   * @param photo a small copy
   * @returns null if it could not be drawn: too many wait, the process ended or took too long
   */
  draw(
    network: string,
    disconnected: AbortSignal,
    photo: Uint8Array,
  ): Promise<Sketches | RefusedSketch | null>;
  /** Id of the running process. */
  pid(): number | undefined;
  /** Kills the process; running and waiting sketches give null. */
  close(): Promise<void>;
}

/** Thrown for a sketch that must wait too long. */
class SketcherBusy extends Error {}

/** After this time without a photo the process ends, and its memory is free; in ms. */
const idleMs = 30_000;

interface SketcherOptions {
  /** How long a visitor may wait, and a sketch may take, in seconds. */
  waitSeconds: number;
  seconds: number;
  /** False where tests take all processor time there is. */
  givenUpFirst?: boolean;
}

export function createSketcher(
  log: Log,
  { cutoutModel: model }: Pick<Config, 'cutoutModel'>,
  { waitSeconds, seconds, givenUpFirst = true }: SketcherOptions = sketchLimits,
): Sketcher {
  const queue = createFairQueue({
    // The model takes a whole core.
    atOnce: 1,
    mostWaiting: sketchLimits.waiting,
    mostWaitingOfKey: sketchLimits.waitingOfNetwork,
    waitSeconds,
    refusal: () => new SketcherBusy('too many visitors wait for their sketches'),
  });
  const readable = [
    ...programFolders,
    scenesFolder,
    tmpdir(),
    ...(model === undefined ? [] : [dirname(model.file)]),
  ];
  const start = () =>
    startJobProcess<SketchJobs>(new URL('main.ts', import.meta.url), {
      readable,
      args: argumentsOfModel(model),
      givenUpFirst,
    });
  const jobs = createIdleProcess(start, idleMs);
  let isClosed = false;

  return {
    async draw(network, disconnected, photo) {
      try {
        return await queue({ key: network, signal: disconnected }, async () => {
          if (isClosed) return null;
          const outcome = await jobs.run('draw', { photo }, seconds * 1_000);
          if ('error' in outcome) throw new Error(outcome.error);
          return outcome.found;
        });
      } catch (error) {
        if (!disconnected.aborted && !(error instanceof SketcherBusy) && !isClosed) {
          log.warn({ err: error }, 'a sketch was not drawn');
        }
        return null;
      }
    },
    pid: jobs.pid,
    async close() {
      isClosed = true;
      await jobs.kill();
    },
  };
}
