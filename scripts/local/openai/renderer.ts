/** The interface of the renderer and of the prepared images, and why a photo cannot be used. */
import type { PhotoProblem } from '../../../shared/cutout/photo-problem.ts';
import type { ImageFormat } from './edit-fields.ts';

/** One image to render. */
export interface RenderJob {
  prompt: string;
  width: number;
  height: number;
  /** The encoded product photos, none for a scene alone; with a mask, or a prompt that changes a picture, the first one is that picture. */
  images: Uint8Array[];
  outputFormat: ImageFormat;
  outputCompression: number;
  background: 'transparent' | 'opaque';
  /** The number of the image within its request, from 0; each is arranged slightly differently. */
  variant: number;
  /** Chooses the take: light, framing and textures. Undefined: they follow from the other fields. */
  seed?: number | undefined;
  /** A PNG: where it is transparent, the first image may change. Undefined: everywhere. */
  mask?: Uint8Array | undefined;
  /** The number of partial images, 0–3. */
  partialImages: number;
}

/** Renders images until it is closed. */
export interface Renderer {
  /**
   * Renders one image; `onPartial` receives partial images as they become available.
   * @returns the encoded image
   * @throws PhotoError when a photo cannot be used, the signal's reason when aborted, or the internal error
   */
  render(job: RenderJob, onPartial: (image: Buffer) => void, signal: AbortSignal): Promise<Buffer>;
  close(): Promise<void>;
}

/** The problem and what to do about it; `unreadable` is a corrupt file or not an image at all. */
const sentences: Readonly<Record<PhotoProblem, string>> = {
  'nothing-salient':
    'No product stands out in the photo. Use a photo of the product on a plain background that has another colour.',
  cropped: 'The product is cut off by the edge of the photo. Use a photo that shows the whole product.',
  inseparable:
    'The product cannot be separated from its background in the photo. Use a photo of it in front of a plain background.',
  held: 'A hand holds the product in the photo. Use a photo of the product without the hand.',
  'too-small': 'The product is too small in the photo. Use a larger photo, or one taken from closer up.',
  unreadable: 'Invalid image file or mode. Please check your image file.',
};

/** Thrown by a renderer that cannot use a photo; the message is for the user. */
export class PhotoError extends Error {
  override name = 'PhotoError';
  readonly problem: PhotoProblem;
  /** Its number among several, from 1. */
  readonly photo: number | undefined;

  constructor(problem: PhotoProblem, photo?: number) {
    super(photo === undefined ? sentences[problem] : `Photo ${photo}: ${sentences[problem]}`);
    this.problem = problem;
    this.photo = photo;
  }
}
