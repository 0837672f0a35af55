/** The preview of an edited image in the browser is what the server stores. */
import { randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { type EditRecipe, straightenMost } from '#contract';
import { editImage, findProduct } from '#server/decoder/edit.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { testWithBrowser } from '#tests/support/browser-test.ts';
import { cup } from '#tests/support/studio-page.ts';

const origin = 'http://preview.test';
const recipes = 24;

/** A page with the modules of the preview, as files without types: what the editor calls, without its components. */
const page = `<!doctype html><script type="importmap">{ "imports": { "#contract/": "/shared/contract/" } }</script>
<script type="module">
  import { drawEdited, readPixels, readProduct } from '/web/src/features/editor/preview.ts';
  const open = async (path) => {
    const image = new Image();
    image.src = path;
    await image.decode();
    return image;
  };
  globalThis.preview = async (path, recipe) => {
    const canvas = document.createElement('canvas');
    const pixels = readPixels(await open(path), Infinity);
    drawEdited(canvas, pixels, recipe, readProduct(await open(path.replace('.png', '-product.png')), pixels));
    return canvas.toDataURL('image/png');
  };
  globalThis.isReady = true;
</script>`;

const test = testWithBrowser
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs
  .extend('folder', { scope: 'file' }, async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'packshot-edits-'));
    onCleanup(() => rm(folder, { recursive: true }));
    return folder;
  })
  .extend('previewPage', async ({ openWindow, folder }) => {
    const { page: window } = await openWindow();
    await window.route(`${origin}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: page });
      if (pathname.endsWith('.png')) return route.fulfill({ path: join(folder, pathname) });
      if (!pathname.endsWith('.ts')) return route.fulfill({ status: 404 });
      const source = await readFile(join(rootFolder, pathname), 'utf8');
      return route.fulfill({ contentType: 'text/javascript', body: stripTypeScriptTypes(source) });
    });
    await window.goto(origin, { waitUntil: 'load' });
    await expect.poll(() => window.evaluate('globalThis.isReady')).toBe(true);
    return window;
  });

const part = fc.double({ min: 0, max: 1, noNaN: true });
const percentage = fc.integer({ min: -100, max: 100 });
const anyRecipe: fc.Arbitrary<EditRecipe> = fc.record({
  rotate: fc.constantFrom(0 as const, 90 as const, 180 as const, 270 as const),
  straighten: fc
    .integer({ min: -10 * straightenMost, max: 10 * straightenMost })
    .map((tenths) => tenths / 10),
  crop: fc.option(
    fc.tuple(part, part, part, part).map(([x, y, across, down]) => {
      const [width, height] = [0.05 + across * 0.95, 0.05 + down * 0.95];
      return { left: x * (1 - width), top: y * (1 - height), width, height };
    }),
  ),
  brightness: percentage,
  contrast: percentage,
  saturation: percentage,
  warmth: percentage,
  whiteBackground: fc.boolean(),
});

/** Mean difference of all channels of two PNGs, 0 to 255, on white. */
async function meanDifference(first: Uint8Array, second: Uint8Array): Promise<number> {
  const [a, b] = await Promise.all(
    [first, second].map((png) =>
      sharp(png).flatten({ background: 'white' }).raw().toBuffer({ resolveWithObject: true }),
    ),
  );
  expect([b!.info.width, b!.info.height]).toEqual([a!.info.width, a!.info.height]);
  let sum = 0;
  for (const [index, value] of a!.data.entries()) sum += Math.abs(value - b!.data[index]!);
  return sum / a!.data.length;
}

async function previewOf(window: Page, name: string, recipe: EditRecipe): Promise<Buffer> {
  const url = await window.evaluate<string>(`preview('/${name}', ${JSON.stringify(recipe)})`);
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

test('the preview differs from the stored image by at most 2 of 255 on average', async ({
  folder,
  previewPage,
}) => {
  const seed = randomInt(2 ** 31);
  console.log(`edit recipes: seed ${seed}`);
  const photo = sharp(cup).resize(520, 390, { fit: 'cover' });
  await photo.clone().flatten({ background: '#f4f2f0' }).png().toFile(join(folder, 'photo.png'));
  // With a transparent background, whose edge is half transparent.
  const [width, height] = [300, 450];
  const alpha = Uint8Array.from({ length: width * height }, (_, pixel) => {
    const [x, y] = [(pixel % width) - 150, Math.floor(pixel / width) - 225];
    return 255 * Math.min(1, Math.max(0, 0.5 + 120 * (1 - Math.hypot(x / 120, y / 200))));
  });
  const cutOut = await sharp(cup)
    .resize(width, height)
    .removeAlpha()
    .joinChannel(Buffer.from(alpha), { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
  await writeFile(join(folder, 'cut-out.png'), cutOut);

  for (const name of ['photo', 'cut-out']) {
    const found = await findProduct({ path: join(folder, `${name}.png`) });
    if (!('result' in found)) throw new Error(JSON.stringify(found));
    await writeFile(join(folder, `${name}-product.png`), found.result);
  }

  const differences: number[] = [];
  for (const [index, recipe] of fc.sample(anyRecipe, { seed, numRuns: recipes }).entries()) {
    const name = index % 3 === 2 ? 'cut-out.png' : 'photo.png';
    const stored = await editImage({ path: join(folder, name), recipe, sourceType: 'composite' });
    if (!('result' in stored)) throw new Error(JSON.stringify(stored));
    const difference = await meanDifference(await previewOf(previewPage, name, recipe), stored.result);
    expect(difference, `${name}, ${JSON.stringify(recipe)}`).toBeLessThanOrEqual(2);
    differences.push(difference);
  }
  console.log(`mean differences: at most ${Math.max(...differences).toFixed(3)} of 255`);
});
