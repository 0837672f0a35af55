/** The interface of the renderer and of the prepared images. */
import type { ImageFormat } from './edit-fields.ts';

/** One image to render. */
export interface RenderJob {
  prompt: string;
  width: number;
  height: number;
  /** The encoded product photos; with a mask, or a prompt that changes a picture, the first one is that picture. */
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
