/**
 * A process that compares images with photos, and ends when its worker does. The native code runs in its main thread, where
 * onnxruntime is used most, and blocks it: watchdog.ts notices what this thread then cannot.
 */
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { modelOfArguments } from '#shared/cutout/model-arguments.ts';
import { chooseModel } from '#shared/cutout/saliency.ts';
import type { JobMessage } from '#shared/platform/job-process.ts';
import { serveJobs } from '#shared/platform/serve-jobs.ts';
import type { MatchJobs } from './match-jobs.ts';
import { cutOutPhoto, matchPhoto } from './match-photo.ts';
import { loadMask } from './product-photo.ts';

chooseModel(modelOfArguments(process.argv));

const watchdog = new Worker(new URL('./watchdog.ts', import.meta.url), { workerData: process.ppid });

serveJobs<MatchJobs>(async (message) => {
  const isLimited = message.name !== 'load';
  if (isLimited) watchdog.postMessage(message.given.processorSeconds);
  try {
    return { result: await resultOf(message) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  } finally {
    if (isLimited) watchdog.postMessage(null);
  }
});

async function resultOf({ name, given }: JobMessage<MatchJobs>) {
  switch (name) {
    case 'load':
      await loadMask();
      return null;
    case 'cutOut':
      return cutOutPhoto(given.photo);
    case 'compare':
      return matchPhoto(given.photo, await readFile(given.image), given.cutout);
  }
}
