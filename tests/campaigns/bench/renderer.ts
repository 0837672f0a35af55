/** `npm run campaign -- bench renderer`: measures how long the local renderer takes for each size and kind of image. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { imageSizes } from '#contract';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { type SampleRenderer, startRenderer } from '#tests/campaigns/support/render.ts';
import { cpuMs } from '#tests/support/process-usage.ts';
import { median } from '#tests/support/statistics.ts';

const photoNames = ['mug-1', 'pump-bottle-1', 'tea-tin-1', 'vase-1', 'perfume-1', 'candle-1'];
const scenes = [
  'on an oak table by a window, soft morning light',
  'Minimalist White Background: pure white',
  'on white marble in a kitchen',
];

/** Renders every photo in several scenes, and prints the median time and processor time of each kind. */
export async function benchRenderer(): Promise<void> {
  const renderer = startRenderer();
  const render: SampleRenderer['render'] = (images, prompt, details) =>
    renderer.render(images, prompt, { partialImages: 2, ...details });
  try {
    const photos = await Promise.all(
      photoNames.map((name) => readFile(join(rootFolder, 'scripts', 'local', 'photos', `${name}.jpg`))),
    );
    // Loads the model and every panorama, which happens once for each process.
    for (const scene of scenes) await render([photos[0]!], scene);
    for (const [name, size] of Object.entries(imageSizes)) {
      await measure(`${name}, ${size.width} × ${size.height}`, photos, (photo, scene, seed) =>
        timed(() => render([photo], scene, { ...size, seed })),
      );
    }
    await measure('without a background', photos, (photo, scene, seed) =>
      timed(() => render([photo], scene, { background: 'transparent', seed })),
    );
    const mask = await maskOf(imageSizes.square);
    for (const [name, details] of Object.entries({ 'a change': {}, 'a change within a mask': { mask } })) {
      await measure(name, photos, async (photo, scene, seed) => {
        const first = await render([photo], scene, { seed });
        const change = 'Change the first picture: make the wall blue';
        return timed(() => render([first, photo], change, details));
      });
    }
  } finally {
    await renderer.close();
  }
}

interface Rendering {
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

async function timed(render: () => Promise<unknown>): Promise<Rendering> {
  // The renderer is a process of its own.
  const before = cpuMs(process.pid);
  const began = performance.now();
  await render();
  const milliseconds = performance.now() - began;
  return { milliseconds, cpuMilliseconds: cpuMs(process.pid) - before };
}

/** A mask that is transparent in the left half. */
function maskOf({ width, height }: { width: number; height: number }): Promise<Buffer> {
  const half = { create: { width: width / 2, height, channels: 4, background: '#000' } } as const;
  return sharp({ create: { width, height, channels: 4, background: '#000' } })
    .composite([{ input: half, left: 0, top: 0, blend: 'dest-out' }])
    .png()
    .toBuffer();
}
