/** Where images come from: one interface, answered by the renderer or by the prepared images. */
import type { ImageFormat } from './edits.ts';

/** One image to make. */
export interface RenderJob {
  prompt: string;
  width: number;
  height: number;
  /** The product photos, encoded. */
  images: Uint8Array[];
  outputFormat: ImageFormat;
  outputCompression: number;
  background: 'transparent' | 'opaque';
  /** Counts the images of one request from 0: each is arranged a little differently. */
  variant: number;
  /** How many intermediate images to hand out, 0–3. */
  partialImages: number;
}

/** Makes images until it is closed. */
export interface Renderer {
  /**
   * Makes one image; `onPartial` gets earlier stages of it as they come into being.
   * @returns the encoded image
   * @throws PhotoError when a photo cannot be used, the signal's reason when it is aborted, or what went wrong
   */
  render(job: RenderJob, onPartial: (image: Buffer) => void, signal: AbortSignal): Promise<Buffer>;
  close(): Promise<void>;
}
