import { join } from 'node:path';
import type { PhotoSizeFault, SketchScene } from '#contract';
import type { CutoutWarning } from '#shared/contract/photo-check.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

/** The empty scenes of the studio's wall, in which visitors see their product. */
export const scenesFolder = join(rootFolder, 'web/src/pictures/empty-scenes');

/** The sketches of a photo; none if its product cannot be cut out, and then the warnings say why. */
export interface Sketches {
  sketches: { scene: SketchScene; picture: Uint8Array }[];
  warnings: CutoutWarning[];
}

/** Why nothing could be drawn: the bytes cannot be opened as a photo, or have a size that is refused. */
export interface RefusedSketch {
  refused: 'IMAGE_CORRUPT' | PhotoSizeFault['code'];
  message?: string;
}

/** The job of a process that draws sketches (shared/platform/job-process.ts). */
export interface SketchJobs {
  /** Shows the product of a small copy of a photo in the scenes. */
  draw: { given: { photo: Uint8Array }; outcome: { found: Sketches | RefusedSketch } | { error: string } };
}
