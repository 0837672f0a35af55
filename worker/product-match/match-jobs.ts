import type { MatchPhoto, PhotoMatch } from './match-product.ts';

/** What a process that compares images is asked. */
interface MatchOrder {
  photo: MatchPhoto;
  /** Path of the image. */
  image: string;
  /** Processor time that it may take, in seconds; then the process ends. */
  processorSeconds: number;
}

/** What it answers: the match, null if no product stands out in the photo, or the message of an error. */
export type MatchOutcome = { match: PhotoMatch | null } | { error: string };

/** The jobs of a process that compares images (shared/platform/job-process.ts). */
export interface MatchJobs {
  /** Compares an image with one photo. */
  compare: { given: MatchOrder; outcome: MatchOutcome };
  /** Loads the model. */
  load: { given: object; outcome: MatchOutcome };
  /** Finds the product of a photo in advance: most of the time of a comparison. */
  prepare: { given: Omit<MatchOrder, 'image'>; outcome: MatchOutcome };
}
