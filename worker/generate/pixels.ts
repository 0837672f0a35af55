/**
 * Loops over pixels take milliseconds, in which a main thread answers nobody: they run in a thread of their own, or in the
 * image library (docs/decisions/0127-pixels-are-not-for-the-main-thread.md).
 */
import { Worker } from 'node:worker_threads';
import { ProviderError } from '#worker/providers/provider.ts';
import type { Inputs, ReducedPhoto, Thumbnail } from './result-checks.ts';

/** What the thread is asked for: the functions of result-checks.ts. */
export type PixelTask =
  | { name: 'reduce'; photo: Thumbnail; image: { width: number; height: number } }
  | { name: 'defect'; image: Thumbnail; inputs: Inputs }
  | { name: 'put-back'; before: Uint8Array; after: Uint8Array; area: Uint8Array };

export interface PixelReport {
  id: number;
  outcome: ReducedPhoto | string | undefined | Uint8Array;
}

interface Thread {
  worker: Worker;
  running: Map<number, PromiseWithResolvers<PixelReport['outcome']>>;
}

/** What it keeps is small. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 };

let thread: Thread | undefined;
let lastId = 0;

/** What images of a size are compared with, of a photo. */
export const reducePhoto = (photo: Thumbnail, image: { width: number; height: number }) =>
  run({ name: 'reduce', photo, image }) as Promise<ReducedPhoto>;

/**
 * Checks that an image is a result: it shows something, is not a copy of one of its photos and, if it is a change, is not
 * the image as it was.
 * @throws ProviderError `invalid_response`
 */
export async function checkResult(image: Thumbnail, inputs: Inputs, requestId: string | null): Promise<void> {
  const reason = (await run({ name: 'defect', image, inputs })) as string | undefined;
  if (reason) throw new ProviderError('invalid_response', reason, { requestId });
}

/** Pixels that are sent at a time: copying a whole image would hold up the main thread as its loop does. */
const partPixels = 2 ** 16;

/**
 * Puts pixels back where a mask lets nothing change, as `putBack` does.
 * @param after is written to
 */
export async function putBackOutside(before: Uint8Array, after: Uint8Array, area: Uint8Array): Promise<void> {
  for (let from = 0; from < area.length; from += partPixels) {
    const to = from + partPixels;
    const part = {
      before: before.slice(from * 4, to * 4),
      after: after.slice(from * 4, to * 4),
      area: area.slice(from, to),
    };
    const moved = Object.values(part).map(({ buffer }) => buffer as ArrayBuffer);
    after.set((await run({ name: 'put-back', ...part }, moved)) as Uint8Array, from * 4);
  }
}

/** @param moved memory that is handed over instead of copied @throws when the thread ends before it answers */
async function run(task: PixelTask, moved: ArrayBuffer[] = []): Promise<PixelReport['outcome']> {
  thread ??= start();
  const { worker, running } = thread;
  lastId += 1;
  const id = lastId;
  const outcome = Promise.withResolvers<PixelReport['outcome']>();
  running.set(id, outcome);
  try {
    worker.postMessage({ id, task }, moved);
    return await outcome.promise;
  } finally {
    running.delete(id);
  }
}

function start(): Thread {
  const worker = new Worker(new URL('./pixel-thread.ts', import.meta.url), { resourceLimits });
  const started: Thread = { worker, running: new Map() };
  let cause: unknown;
  worker.on('message', ({ id, outcome }: PixelReport) => started.running.get(id)?.resolve(outcome));
  worker.on('error', (error) => {
    cause = error;
  });
  worker.on('exit', () => {
    if (thread === started) thread = undefined;
    const error = new Error('the thread for pixels ended', { cause });
    for (const { reject } of started.running.values()) reject(error);
  });
  // A process that has nothing else to do ends.
  worker.unref();
  return started;
}
