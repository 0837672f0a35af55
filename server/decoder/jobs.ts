import type { EditRecipe } from '#shared/contract/edit-recipe.ts';
import type { ErrorCode } from '#shared/contract/errors.ts';
import type { DigitalSourceType, ExportFormat, ExportRule } from '#shared/contract/export-presets.ts';
import type { Mark } from '#shared/contract/marks.ts';
import type { PhotoWarning } from '#shared/contract/photo-check.ts';
import type { StoredPhotoFormat } from '#shared/storage/storage.ts';
import type { ExportBackground } from './export-background.ts';
import type { Rectangle } from './export-frame.ts';

/** A photo as it is stored and sent to the provider. */
export interface NormalisedPhoto {
  format: StoredPhotoFormat;
  width: number;
  height: number;
  bytes: number;
  warnings: PhotoWarning[];
}

/** What decoding a photo takes. */
export interface PhotoWeight {
  /** Memory in bytes. */
  weight: number;
}

/** What decoding a photo may use. */
export interface Allowance {
  /** Memory in bytes. */
  weight: number;
  processorSeconds: number;
}

/** Size of a mask in pixels: that of the image that is changed. */
export interface MaskSize {
  width: number;
  height: number;
}

/** What to export. */
export interface ExportOrder {
  path: string;
  /** Of the preset. */
  rules: readonly ExportRule[];
  format: ExportFormat;
  /** Of a JPEG or WebP; null for the usual one. */
  quality: number | null;
  productName: string;
  sourceType: DigitalSourceType;
}

/** What was measured while a file was made. */
export interface ExportFacts {
  /** Size of the image and of the file in pixels. */
  from: { width: number; height: number };
  width: number;
  height: number;
  /** How many times its sides are enlarged; 1 if they are not. */
  enlarged: number;
  sourceType: DigitalSourceType;
  /** Size of the file in bytes at the usual quality. The file itself is smaller if a rule needs it. */
  usualBytes: number;
  /** Whether parts of the image are cut off, background is added around it, or both. */
  isCropped: boolean;
  isPadded: boolean;
  /** Whether there is no white behind the product: another colour, or nothing. */
  isCleared: boolean;
  /** Whether there was nothing behind the product in the image. */
  wasClear: boolean;
  /** Null if the preset has no rule about it. */
  background: ExportBackground | null;
  /** The product's share of the frame before and after; null if it is not known. */
  productShare: { before: number; after: number } | null;
  /** Where the product is in the file, without its shadow; null if it is not known. */
  product: Rectangle | null;
  /** Where the file has no white background although it should, or nobody can tell the product from it. */
  notWhite: readonly Rectangle[];
}

/** The jobs of a decoder process by name, with input and result. */
export interface Jobs {
  /** Reads a photo's header, and does the same as `normalise` if that takes no more memory than allowed; else says what it takes. */
  normaliseIfLight: {
    given: { path: string; target: string } & Allowance;
    result: NormalisedPhoto | PhotoWeight;
  };
  /** Decodes a photo and writes it in the stored form. */
  normalise: { given: { path: string; target: string } & Allowance; result: NormalisedPhoto };
  /** Makes a small WebP of a stored photo or image. It says how an image was made. */
  thumbnail: { given: { path: string; sourceType: DigitalSourceType | undefined }; result: Uint8Array };
  /** Makes the PNG of one of our own images as edited by a recipe. */
  edit: { given: { path: string; recipe: EditRecipe; sourceType: DigitalSourceType }; result: Uint8Array };
  /** Makes a small grey PNG of where the product of one of our own images is. */
  findProduct: { given: { path: string }; result: Uint8Array };
  /** Makes a file of one of our own images for a marketplace. */
  export: { given: ExportOrder; result: { file: Uint8Array; facts: ExportFacts } };
  /** Makes the mask of a change from what the seller marked. The result is null if no pixel is marked completely. */
  drawMask: { given: { marks: readonly Mark[]; size: MaskSize }; result: Uint8Array | null };
  /** The mask of a change as we store it, made from a PNG of somebody else. The result is null as in `drawMask`. */
  readMask: { given: { png: Uint8Array; size: MaskSize } & Allowance; result: Uint8Array | null };
}
export type JobName = keyof Jobs;

/** Outcome of a job: its result, or why there is none. */
export type Outcome<Name extends JobName = JobName> = { result: Jobs[Name]['result'] } | Failure;

/** A refusal of the photo, or an error; one of the storage folder has `storage`. */
export type Failure =
  | { refused: ErrorCode; message?: string }
  | { failed: string; storage?: { code: string; path: string } };

/** The jobs as the process gets and answers them (shared/platform/job-process.ts). */
export type DecoderJobs = {
  [Name in JobName]: { given: Jobs[Name]['given']; outcome: Outcome<Name> };
};

/** For a photo whose decoding was stopped because it used too much CPU time or memory. */
export const tooComplex: Outcome = {
  refused: 'IMAGE_CORRUPT',
  message: 'One of the photos is too complex to open. Please export it as a plain JPEG and retry.',
};
