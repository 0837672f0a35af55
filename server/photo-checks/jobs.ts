import type { CutoutWarning } from '#shared/contract/photo-check.ts';

/** What a process that checks photos answers: what was found, null if the bytes are no photo, or the message of an error. */
export type CheckOutcome = { warnings: CutoutWarning[] | null } | { error: string };

/** The jobs of a process that checks photos (shared/platform/job-process.ts). */
export interface CheckJobs {
  /** Checks a photo: a small copy in memory, or the file of a stored one. */
  check: { given: { photo: Uint8Array | string }; outcome: CheckOutcome };
  /** Loads the model in advance. */
  load: { given: object; outcome: CheckOutcome };
}
