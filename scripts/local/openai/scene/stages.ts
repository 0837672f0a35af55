/** The partial images of a render. */
import type { RenderJob } from '../renderer.ts';
import type { SceneDescription } from './description/describe.ts';
import { developFrame, encodeImage, type Frame } from './frame.ts';
import type { RenderProgress } from './render.ts';

/** Emits the requested number of partial images: the rough one first, later ones nearer the end. */
export class Stages {
  readonly #job: RenderJob;
  readonly #description: SceneDescription;
  readonly #progress: RenderProgress;

  constructor(job: RenderJob, description: SceneDescription, progress: RenderProgress) {
    this.#job = job;
    this.#description = description;
    this.#progress = progress;
  }

  /** Stages count down to the finished image: 3 is the rough placement, 2 the empty scene, 1 the shadows. */
  wanted(stage: 1 | 2 | 3): boolean {
    const wantedStages = [[], [3], [3, 2], [3, 2, 1]][this.#job.partialImages] ?? [];
    return wantedStages.includes(stage);
  }

  /**
   * Emits a stage.
   * @param enlargement the factor by which the frame is smaller than the picture
   */
  async show(frame: Frame, enlargement = 1): Promise<void> {
    const { outputFormat, outputCompression } = this.#job;
    const { saturation, pureWhite } = this.#description;
    const bytes = developFrame(frame, { saturation, exactWhite: pureWhite });
    const size = { width: frame.width, height: frame.height, channels: 3 as const };
    this.#progress.onPartial(await encodeImage(bytes, size, outputFormat, outputCompression, enlargement));
  }
}
