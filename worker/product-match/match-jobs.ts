import type { MatchPhoto, PhotoMatch } from './match-product.ts';

/** What a process that compares images is asked about a photo. */
interface PhotoOrder {
  photo: MatchPhoto;
  /** Processor time that it may take, in seconds; then the process ends. */
  processorSeconds: number;
}

/** The message of an error. */
interface Failure {
  error: string;
}

/** The jobs of a process that compares images (shared/platform/job-process.ts). */
export interface MatchJobs {
  /** Compares an image with one photo. The match is null if no product stands out in the photo. */
  compare: {
    given: PhotoOrder & {
      /** Path of the image. */
      image: string;
      /** Where the product is in the photo: a file of the job `cutOut`. Without one the photo is cut out again. */
      cutout: Uint8Array | undefined;
    };
    outcome: { result: PhotoMatch | null } | Failure;
  };
  /** Cuts the product of a photo out: most of the time of a comparison. */
  cutOut: { given: PhotoOrder; outcome: { result: Uint8Array } | Failure };
  /** Loads the model. */
  load: { given: object; outcome: { result: null } | Failure };
}
