import sharp from 'sharp';
import type { RenderJob } from '../renderer.ts';

/** What the renderer tells and asks while it works. */
export interface RenderProgress {
  onPartial(image: Uint8Array): void;
  isCancelled(): boolean;
}

/** Composes the products in their scene. */
export async function renderImage(job: RenderJob, progress: RenderProgress): Promise<Uint8Array> {
  const base = sharp({
    create: { width: job.width, height: job.height, channels: 3, background: '#e8e4dc' },
  });
  const share = Math.ceil(Math.sqrt(job.images.length));
  const cell = Math.floor((Math.min(job.width, job.height) * 0.8) / share);
  const placed = await Promise.all(
    job.images.map(async (image, index) => ({
      input: await sharp(image).rotate().resize(cell, cell, { fit: 'inside' }).png().toBuffer(),
      left: Math.floor(job.width * 0.1 + (index % share) * cell),
      top: Math.floor(job.height * 0.1 + Math.floor(index / share) * cell),
    })),
  );
  const whole = await base.composite(placed).png().toBuffer();
  for (let index = 0; index < job.partialImages; index += 1) {
    const partial = await sharp(whole)
      .blur(20 - index * 6)
      .toFormat(job.outputFormat)
      .toBuffer();
    progress.onPartial(partial);
  }
  return sharp(whole).toFormat(job.outputFormat).toBuffer();
}
