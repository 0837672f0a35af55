/** Renders the sample photos in every scene, with the renderer and the threads that the local server uses. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { RenderJob } from '../local/openai/renderer.ts';
import { createWorkerRenderer } from '../local/openai/worker-renderer.ts';
import type { SamplePhoto } from './photos.ts';
import type { SheetCell, SheetRow } from './sheet.ts';

/** What to render. */
export interface SampleOrder {
  photos: readonly SamplePhoto[];
  scenes: readonly string[];
  /** Size of each picture in pixels. */
  width: number;
  height: number;
  /** Pictures rendered at once. */
  jobs: number;
  /** Where the pictures go, each as `<photo>--<scene number>-<scene>.png`; made when it is not there. */
  folder: string;
  /** Called with a line about each picture. */
  say: (line: string) => void;
}

/**
 * Renders every photo in every scene and writes the pictures.
 * @returns a row for each photo; a photo that cannot be cut out has the reason in its cells
 */
export async function renderSamples(order: SampleOrder): Promise<SheetRow[]> {
  const { photos, scenes, width, height, folder, say } = order;
  await mkdir(folder, { recursive: true });
  const renderer = createWorkerRenderer();
  const limit = pLimit(order.jobs);
  const never = new AbortController().signal;
  const render = (job: RenderJob) => renderer.render(job, () => {}, never);

  try {
    // A thread's first picture would wait for the models to load, which is no part of a render's time.
    const first = await readFile(photos[0]!.file);
    const small = jobFor(first, scenes[0]!, 256, 256);
    await Promise.allSettled(Array.from({ length: order.jobs }, () => render(small)));

    const renderCell = async (photo: SamplePhoto, bytes: Buffer, scene: number): Promise<SheetCell> => {
      const file = `${photo.name}--${scene + 1}-${slugOf(scenes[scene]!)}.png`;
      const began = performance.now();
      try {
        const image = await render(jobFor(bytes, scenes[scene]!, width, height));
        const milliseconds = performance.now() - began;
        await writeFile(join(folder, file), image);
        say(`${file}  ${Math.round(milliseconds)} ms`);
        return { kind: 'picture', image, milliseconds };
      } catch (error) {
        const [message = 'no image'] = String((error as Error).message).split('\n');
        say(`${file}  ${message}`);
        return { kind: 'failure', message };
      }
    };
    return await Promise.all(
      photos.map(async (photo): Promise<SheetRow> => {
        const bytes = await readFile(photo.file);
        const cells = await Promise.all(
          scenes.map((_, scene) => limit(() => renderCell(photo, bytes, scene))),
        );
        return { name: photo.name, photo: bytes, cells };
      }),
    );
  } finally {
    await renderer.close();
  }
}

/** What the worker asks the image server for, as far as a render needs it. */
function jobFor(photo: Buffer, scene: string, width: number, height: number): RenderJob {
  return {
    prompt: scene,
    width,
    height,
    images: [photo],
    outputFormat: 'png',
    outputCompression: 100,
    background: 'opaque',
    variant: 0,
    partialImages: 0,
  };
}

/** A scene's first words as part of a file name. */
function slugOf(scene: string): string {
  const words = scene.toLowerCase().match(/[a-z0-9]+/g) ?? ['scene'];
  return words.slice(0, 6).join('-').slice(0, 60);
}
