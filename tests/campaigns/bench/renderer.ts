/** `npm run campaign -- bench renderer`: measures how long the local renderer takes for each size and kind of image. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { imageSizes } from '#contract';
import { createProcessRenderer } from '#local/openai/process-renderer.ts';
import type { Renderer, RenderJob } from '#local/openai/renderer.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { median } from '#tests/support/statistics.ts';

const photoNames = ['mug-1', 'pump-bottle-1', 'tea-tin-1', 'vase-1', 'perfume-1', 'candle-1'];
const scenes = [
  'on an oak table by a window, soft morning light',
  'Minimalist White Background: pure white',
  'on white marble in a kitchen',
];

/** Renders every photo in several scenes, and prints the median time and processor time of each kind. */
export async function benchRenderer(): Promise<void> {
  const renderer = createProcessRenderer();
  try {
    const photos = await Promise.all(
      photoNames.map((name) => readFile(join(rootFolder, 'scripts', 'local', 'photos', `${name}.jpg`))),
    );
    // Loads the model and every panorama, which happens once for each process.
    for (const scene of scenes) await render(renderer, jobOf(photos[0]!, scene));
    for (const [name, size] of Object.entries(imageSizes)) {
      await measure(`${name}, ${size.width} × ${size.height}`, photos, (photo, scene, seed) =>
        render(renderer, { ...jobOf(photo, scene), ...size, seed }),
      );
    }
    await measure('without a background', photos, (photo, scene, seed) =>
      render(renderer, { ...jobOf(photo, scene), background: 'transparent', seed }),
    );
    const change = 'Change the first picture: make the wall blue';
    await measure('a change', photos, async (photo, scene, seed) => {
      const first = (await render(renderer, { ...jobOf(photo, scene), seed })).image;
      return render(renderer, { ...jobOf(photo, change), images: [first, photo] });
    });
    const mask = await maskOf(imageSizes.square);
    await measure('a change within a mask', photos, async (photo, scene, seed) => {
      const first = (await render(renderer, { ...jobOf(photo, scene), seed })).image;
      return render(renderer, { ...jobOf(photo, change), images: [first, photo], mask });
    });
  } finally {
    await renderer.close();
  }
}

interface Rendering {
  image: Buffer;
  milliseconds: number;
  cpuMilliseconds: number;
}

/** Measures a kind of image: the first one of each photo, which is cut out for it, and the others. */
async function measure(
  kind: string,
  photos: readonly Buffer[],
  make: (photo: Buffer, scene: string, seed: number) => Promise<Rendering>,
): Promise<void> {
  const others: Rendering[] = [];
  const firsts: Rendering[] = [];
  for (const photo of photos) {
    for (const [seed, scene] of scenes.entries()) {
      (seed === 0 ? firsts : others).push(await make(photo, scene, seed));
    }
  }
  const summary = (renderings: readonly Rendering[]) =>
    `${seconds(renderings.map(({ milliseconds }) => milliseconds))} (processor ${seconds(renderings.map(({ cpuMilliseconds }) => cpuMilliseconds))})`;
  console.log(`${kind}: first image of a photo ${summary(firsts)}, others ${summary(others)}`);
}

const seconds = (milliseconds: readonly number[]) => `${(median(milliseconds) / 1_000).toFixed(2)} s`;

async function render(renderer: Renderer, job: RenderJob): Promise<Rendering> {
  const never = new AbortController().signal;
  const cpu = process.cpuUsage();
  const began = performance.now();
  const image = await renderer.render(job, () => {}, never);
  const milliseconds = performance.now() - began;
  const used = process.cpuUsage(cpu);
  return { image, milliseconds, cpuMilliseconds: (used.user + used.system) / 1_000 };
}

function jobOf(photo: Buffer, prompt: string): RenderJob {
  return {
    prompt,
    ...imageSizes.square,
    images: [photo],
    outputFormat: 'png',
    outputCompression: 100,
    background: 'opaque',
    variant: 0,
    partialImages: 2,
  };
}

/** A mask that is transparent in the left half. */
function maskOf({ width, height }: { width: number; height: number }): Promise<Buffer> {
  const half = { create: { width: width / 2, height, channels: 4, background: '#000' } } as const;
  return sharp({ create: { width, height, channels: 4, background: '#000' } })
    .composite([{ input: half, left: 0, top: 0, blend: 'dest-out' }])
    .png()
    .toBuffer();
}
