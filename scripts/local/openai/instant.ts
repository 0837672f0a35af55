/**
 * Prepared images for tests and benchmarks in which the picture does not matter: right size and format, no rendering.
 */
import sharp from 'sharp';
import type { Renderer, RenderJob } from './renderer.ts';

/** A renderer that returns one prepared image for each size and format; partial images are the same image. */
export function createInstantRenderer(): Renderer {
  const prepared = new Map<string, Promise<Buffer>>();
  const imageFor = (job: RenderJob): Promise<Buffer> => {
    const key = `${job.width}x${job.height}.${job.outputFormat}`;
    let image = prepared.get(key);
    if (image === undefined) {
      image = sharp({
        create: { width: job.width, height: job.height, channels: 3, background: '#d8d2c8' },
      })
        .toFormat(job.outputFormat)
        .toBuffer();
      prepared.set(key, image);
    }
    return image;
  };
  return {
    async render(job, onPartial, signal) {
      const image = await imageFor(job);
      signal.throwIfAborted();
      for (let index = 0; index < job.partialImages; index += 1) onPartial(image);
      return image;
    },
    async close() {},
  };
}
