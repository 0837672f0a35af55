/** Images that are valid files but of no use to a seller, for tests of programs that check what they receive. */
import sharp, { type Sharp } from 'sharp';
import type { Renderer, RenderJob } from './renderer.ts';

/** Returns an image of one colour. */
export const blankRenderer = rendererOf(({ width, height }) =>
  sharp({ create: { width, height, channels: 3, background: '#d8d2c8' } }),
);

/** Returns the first photo, scaled and cropped to the size. */
export const copyRenderer = rendererOf(({ width, height, images }) =>
  sharp(images[0]).autoOrient().resize(width, height, { fit: 'cover' }),
);

/** The same renderer, but it changes a picture everywhere and not only where the mask allows it. */
export function withoutMask(renderer: Renderer): Renderer {
  return {
    ...renderer,
    async render(job, onPartial, signal) {
      const image = await renderer.render({ ...job, mask: undefined }, onPartial, signal);
      // However little the change is, it is everywhere.
      return sharp(image).negate({ alpha: false }).toFormat(job.outputFormat).toBuffer();
    },
  };
}

/** Partial images are the same image. */
function rendererOf(draw: (job: RenderJob) => Sharp): Renderer {
  return {
    async render(job, onPartial, signal) {
      const image = await draw(job).toFormat(job.outputFormat).toBuffer();
      signal.throwIfAborted();
      for (let index = 0; index < job.partialImages; index += 1) onPartial(image);
      return image;
    },
    async close() {},
  };
}
