/**
 * A process that compares images with photos, and ends when its worker does. The native code runs in its main thread, where
 * onnxruntime is used most, and blocks it: watchdog.ts notices what this thread then cannot.
 */
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { modelOfArguments } from '#shared/cutout/model-arguments.ts';
import { chooseModel } from '#shared/cutout/saliency.ts';
import { serveJobs } from '#shared/platform/serve-jobs.ts';
import type { MatchJobs, MatchOutcome } from './match-jobs.ts';
import { findProductOf, matchPhoto } from './match-photo.ts';
import type { PhotoMatch } from './match-product.ts';
import { loadMask } from './product-photo.ts';

chooseModel(modelOfArguments(process.argv));

const watchdog = new Worker(new URL('./watchdog.ts', import.meta.url), { workerData: process.ppid });

serveJobs<MatchJobs>(async ({ name, given }) => {
  if (name === 'load') {
    return outcomeOf(async () => {
      await loadMask();
      return null;
    });
  }
  watchdog.postMessage(given.processorSeconds);
  const outcome = await outcomeOf(async () => {
    if (name === 'compare') return matchPhoto(given.photo, await readFile(given.image));
    await findProductOf(given.photo);
    return null;
  });
  watchdog.postMessage(null);
  return outcome;
});

async function outcomeOf(run: () => Promise<PhotoMatch | null>): Promise<MatchOutcome> {
  try {
    return { match: await run() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
