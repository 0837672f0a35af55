import { createHash } from 'node:crypto';
import type { EditPixels } from '#shared/contract/edit-geometry.ts';
import { type Plane, sampleAt } from '#shared/cutout/pixels.ts';
import { createRecent } from '#shared/platform/recent.ts';
import type { Rectangle } from './export-frame.ts';

/** How much around what can be seen the model is shown, as a fraction of its longer side. */
const margin = 0.15;

/** The model takes 250 MB while it runs, so one image at a time. */
let turn: Promise<unknown> = Promise.resolve();

/** What the model found in the last images, by what it was shown: the presets and formats of one image follow each other. Each takes 0.4 MB. */
const recent = createRecent<Plane>(16);

/**
 * What the model takes for the product.
 * @param content where something can be seen, in pixels of `small`; @param scale from there to the pixels of the image
 * @returns 0 to 255 for each pixel of `small`
 */
export async function findSalient(
  pixels: EditPixels,
  content: Rectangle,
  scale: number,
  small: EditPixels,
): Promise<Uint8Array> {
  const { width, height } = small;
  const space = margin * Math.max(content.width, content.height);
  const left = Math.max(0, Math.floor((content.left - space) * scale));
  const top = Math.max(0, Math.floor((content.top - space) * scale));
  const box = {
    left,
    top,
    width: Math.min(pixels.width, Math.ceil((content.left + content.width + space) * scale)) - left,
    height: Math.min(pixels.height, Math.ceil((content.top + content.height + space) * scale)) - top,
  };
  const shown = createHash('sha256')
    .update(JSON.stringify([width, height, box]))
    .update(small.data);
  const found = await recent(shown.digest('base64'), () => runModel(pixels, box));
  const salient = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const row = (((y + 0.5) * scale - box.top) / box.height) * found.height - 0.5;
    if (row < -0.5 || row > found.height - 0.5) continue;
    for (let x = 0; x < width; x += 1) {
      const column = (((x + 0.5) * scale - box.left) / box.width) * found.width - 0.5;
      if (column < -0.5 || column > found.width - 0.5) continue;
      salient[y * width + x] = Math.round(255 * sampleAt(found, column, row));
    }
  }
  return salient;
}

function runModel(pixels: EditPixels, box: Rectangle): Promise<Plane> {
  const run = turn.then(async () => {
    // Loaded when it is needed: most decoder processes never need it. This one ends when it is idle, with its memory.
    const { findSaliency, loadSaliency, setThreads } = await import('#shared/cutout/saliency.ts');
    // Half of the time, and 5 % more processor time: nothing else runs in JavaScript meanwhile.
    setThreads(2);
    await loadSaliency({ keepsMemory: true });
    return findSaliency(pixels, box);
  });
  turn = run.catch(() => {});
  return run;
}
