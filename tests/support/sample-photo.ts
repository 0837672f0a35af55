/** The photos and the prompt that benchmarks submit. */
import { join } from 'node:path';
import sharp from 'sharp';
import { rootFolder } from '#shared/platform/root-folder.ts';

export const samplePhotoFile = join(rootFolder, 'tests', 'support', 'sample', 'coffee-cup.png');
export const samplePrompt = 'Product on Wooden Table: in the morning';

/** A photo of 900 × 900 pixels with as many bytes as a photograph of that size. */
export async function grainyPhoto(): Promise<Blob> {
  const noise = { type: 'gaussian', mean: 160, sigma: 12 } as const;
  const png = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#ffffff', noise } })
    .png()
    .toBuffer();
  return new Blob([new Uint8Array(png)], { type: 'image/png' });
}
