/** The partial images of a render. */
import type { RenderJob } from '../renderer.ts';
import type { SceneDescription } from './description/describe.ts';
import { developFrame, encodeImage, type Frame } from './frame.ts';

/** Callbacks of a render. */
export interface RenderProgress {
  /** Receives an encoded partial image. */
  onPartial(image: Uint8Array): void;
  /** Whether the image is no longer needed. */
  isCancelled(): boolean;
}

/** Emits the requested number of partial images: the rough one first, later ones nearer the end. */
export class PartialImages {
  readonly #job: RenderJob;
  readonly #description: SceneDescription;
  readonly #progress: RenderProgress;

  constructor(job: RenderJob, description: SceneDescription, progress: RenderProgress) {
    this.#job = job;
    this.#description = description;
    this.#progress = progress;
  }

  /**
   * Whether the request asks for a stage. Stages count down to the finished image: 3 is a rough small version, 2 has
   * no shadows, 1 no reflections.
   */
  isRequested(stage: 1 | 2 | 3): boolean {
    const stages = [[], [3], [3, 2], [3, 2, 1]][this.#job.partialImages] ?? [];
    return stages.includes(stage);
  }

  /**
   * Emits a frame as a partial image.
   * @param enlargement the factor by which the frame is smaller than the picture
   * @param alpha the opacity of each pixel, for a picture without a background
   */
  async emit(frame: Frame, enlargement = 1, alpha?: Float32Array): Promise<void> {
    const { outputFormat, outputCompression } = this.#job;
    const { saturation, pureWhite, style } = this.#description;
    const exactWhite = pureWhite && alpha === undefined;
    const bytes = developFrame(frame, { saturation, exactWhite, film: style.film, ...(alpha && { alpha }) });
    const channels = alpha === undefined ? 3 : 4;
    const size = { width: frame.width, height: frame.height, channels } as const;
    this.#progress.onPartial(await encodeImage(bytes, size, outputFormat, outputCompression, enlargement));
  }
}
