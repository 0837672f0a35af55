/** Prepared images for tests and benchmarks that are not about the picture: right size and format, no work. */
import sharp from 'sharp';
import type { Renderer, RenderJob } from './renderer.ts';

/** A renderer that answers one prepared image for each size and format; every partial is the same image. */
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
