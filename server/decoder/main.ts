/** A decoder process: decodes the files that its server names, and ends when the server does. */
import type { JobMessage } from '#shared/platform/job-process.ts';
import { killThisProcess, sendOutcome, serveJobs } from '#shared/platform/serve-jobs.ts';
import { editImage, findProduct } from './edit.ts';
import { exportImage } from './export.ts';
import { type Allowance, type DecoderJobs, type Outcome, tooComplex } from './jobs.ts';
import { drawMask, readMask } from './mask.ts';
import { makeThumbnail, normalise, normaliseIfLight } from './normalise.ts';

serveJobs<DecoderJobs>(outcomeOf);

async function outcomeOf(message: JobMessage<DecoderJobs>): Promise<Outcome> {
  switch (message.name) {
    case 'thumbnail':
      return makeThumbnail(message.given);
    case 'edit':
      return editImage(message.given);
    case 'findProduct':
      return findProduct(message.given);
    case 'export':
      return exportImage(message.given);
    case 'drawMask':
      return drawMask(message.given);
    case 'readMask':
      return watched(message, () => readMask(message.given));
    case 'normaliseIfLight':
      return watched(message, () => normaliseIfLight(message.given));
    case 'normalise':
      return watched(message, () => normalise(message.given));
  }
}

/** Runs a job, and ends this process when it exceeds its allowance. */
function watched(
  { id, given }: { id: number; given: Allowance },
  job: () => Promise<Outcome>,
): Promise<Outcome> {
  const stop = watch(given, () => {
    sendOutcome({ id, outcome: tooComplex }, killThisProcess);
  });
  return job().finally(stop);
}

/** Interval of measuring memory and CPU time, in ms. */
const measureMs = 25;
/** Memory allowed in addition to a photo's weight, in bytes: memory of earlier photos may not be released yet. */
const spareBytes = 64 * 1024 * 1024;

/** Calls back when this process exceeds the allowance of a photo. @returns a function that stops measuring */
function watch({ weight, processorSeconds }: Allowance, exceeded: () => void): () => void {
  const maxBytes = process.memoryUsage.rss() + weight * 1.25 + spareBytes;
  const before = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    if (process.memoryUsage.rss() < maxBytes && (user + system) / 1e6 < processorSeconds) return;
    clearInterval(timer);
    exceeded();
  }, measureMs);
  return () => clearInterval(timer);
}
