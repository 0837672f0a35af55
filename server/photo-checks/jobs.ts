import type { CheckedProduct, ProductQuestions } from '#shared/cutout/check-product.ts';

/** What a process that checks photos answers: what was found, null if the bytes are no photo, or the message of an error. */
export type CheckOutcome = { found: CheckedProduct | null } | { error: string };

/** The jobs of a process that checks photos (shared/platform/job-process.ts). */
export interface CheckJobs {
  /** Checks a small copy of a photo. */
  check: { given: { photo: Uint8Array; questions: ProductQuestions }; outcome: CheckOutcome };
  /** Loads the model in advance, and runs it once. */
  load: { given: object; outcome: CheckOutcome };
}
