/** Renders the sample photos in every scene, with the renderer of the local server. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createProcessRenderer } from '#local/openai/process-renderer.ts';
import type { RenderJob } from '#local/openai/renderer.ts';
import type { SamplePhoto } from './photos.ts';
import type { SheetCell, SheetRow } from './sheet.ts';

/** What to render. */
export interface RenderOptions {
  photos: readonly SamplePhoto[];
  scenes: readonly string[];
  /** Size of each picture in pixels. */
  width: number;
  height: number;
  /** The output folder, created if missing; files are named `<photo>--<scene number>-<scene>.png`. */
  folder: string;
  /** Called with a progress line for each picture. */
  onProgress: (line: string) => void;
}

/**
 * Renders every photo in every scene and writes the pictures.
 * @returns a row for each photo; if a photo cannot be cut out, its cells contain the reason
 */
export async function renderSamples(options: RenderOptions): Promise<SheetRow[]> {
  const { photos, scenes, width, height, folder, onProgress } = options;
  await mkdir(folder, { recursive: true });
  const renderer = createProcessRenderer();
  const never = new AbortController().signal;
  const render = (job: RenderJob) => renderer.render(job, () => {}, never);

  try {
    // Rendered once in advance, so that loading the model does not count towards the first picture.
    const first = await readFile(photos[0]!.file);
    const small = jobFor(first, scenes[0]!, 256, 256);
    await Promise.allSettled([render(small)]);

    const rows: SheetRow[] = [];
    for (const photo of photos) {
      const bytes = await readFile(photo.file);
      const cells: SheetCell[] = [];
      for (const [index, scene] of scenes.entries()) {
        const file = `${photo.name}--${index + 1}-${slugOf(scene)}.png`;
        const cell = await renderCell(() => render(jobFor(bytes, scene, width, height)));
        if (cell.kind === 'picture') await writeFile(join(folder, file), cell.image);
        onProgress(
          `${file}  ${cell.kind === 'picture' ? `${Math.round(cell.milliseconds)} ms` : cell.message}`,
        );
        cells.push(cell);
      }
      rows.push({ name: photo.name, photo: bytes, cells });
    }
    return rows;
  } finally {
    await renderer.close();
  }
}

async function renderCell(render: () => Promise<Buffer>): Promise<SheetCell> {
  const began = performance.now();
  try {
    const image = await render();
    return { kind: 'picture', image, milliseconds: performance.now() - began };
  } catch (error) {
    const [message = 'no image'] = String((error as Error).message).split('\n');
    return { kind: 'failure', message };
  }
}

/** The render job, as the image server would create it from the worker's request. */
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
