import { type JobProcess, startJobProcess } from '#shared/platform/job-process.ts';
import type { DecoderJobs } from './jobs.ts';

/** A process that decodes photos. */
export type DecoderProcess = JobProcess<DecoderJobs>;

/** Starts a decoder process with a lower priority than the server. */
export function startDecoderProcess(): DecoderProcess {
  return startJobProcess<DecoderJobs>(new URL('main.ts', import.meta.url));
}
