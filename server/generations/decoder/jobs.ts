import type { ErrorCode } from '#contract/errors.ts';
import type { PhotoHeader } from './weight.ts';

/** A photo as it is kept and sent to the provider. */
export interface NormalisedPhoto {
  width: number;
  height: number;
  bytes: number;
}

/** What unpacking a photo may take. */
export interface Allowance {
  /** Memory in bytes. */
  weight: number;
  processorSeconds: number;
}

/** What a decoder process does, by name: what it is given, and its result. */
export interface Jobs {
  /** Reads a photo's header; nothing is unpacked. */
  header: { given: { path: string }; result: PhotoHeader };
  /** Unpacks a photo and writes it as it is kept. */
  normalise: { given: { path: string; target: string } & Allowance; result: NormalisedPhoto };
  /** Makes a small WebP of an image of ours. */
  thumbnail: { given: { path: string }; result: Uint8Array };
}
export type JobName = keyof Jobs;

/** What came of a job: its result, a refusal of the photo, or an error, of the storage folder where it has a code. */
export type Outcome<Name extends JobName = JobName> =
  | { result: Jobs[Name]['result'] }
  | { refused: ErrorCode; message?: string }
  | { failed: string; storage?: { code: string; path: string } };

/** To a decoder process, and back from it. */
export type JobMessage = {
  [Name in JobName]: { id: number; name: Name; given: Jobs[Name]['given'] };
}[JobName];
export interface OutcomeMessage {
  id: number;
  outcome: Outcome;
}

/** For a photo whose unpacking was broken off: it took more processor time or memory than photos do. */
export const tooComplex: Outcome = {
  refused: 'IMAGE_CORRUPT',
  message: 'One of the photos is too complex to open. Please export it as a plain JPEG and retry.',
};
