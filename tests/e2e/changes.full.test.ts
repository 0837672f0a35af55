/** Changing a part of a finished image. */
import type { Route } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { paths } from '#contract';
import { dialog } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { canvasOf, currentVersion, markAnArea, paint, send, storedArea } from '#tests/support/brush-page.ts';
import { eventually } from '#tests/support/harness.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

/** The pixels of an image of a seller, RGB. */
async function pixelsOf(stack: TestStack, seller: Seller, url: string): Promise<Buffer> {
  const reply = await fetch(stack.url + url, { headers: { authorization: `Bearer ${seller.token}` } });
  return sharp(Buffer.from(await reply.arrayBuffer()))
    .removeAlpha()
    .raw()
    .toBuffer();
}

test('with the brush only the painted area changes', async ({ stack, finishedImage }) => {
  const { page, problems } = await finishedImage({ plan: 'enterprise' });
  await markAnArea(page);
  await dialog(page).getByText('Mark a rectangle by numbers').click();
  await dialog(page).getByRole('button', { name: 'Mark rectangle' }).click();
  await dialog(page).getByRole('button', { name: 'Undo' }).click();
  expect(await layoutProblems(page, 'brush')).toEqual([]);
  await send(page).click();
  await currentVersion(page, 'Version 2: A red wall').waitFor();
  await dialog(page).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Download' }).waitFor();
  expect(await layoutProblems(page, 'versions')).toEqual([]);
  expect((await stack.images.state()).calls.at(-1)).toMatchObject({ masked: true });
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('the area that may change is what the canvas shows', async ({ stack, finishedImage }) => {
  const { page, id } = await finishedImage({ plan: 'enterprise' });
  await markAnArea(page);
  await paint(page, [0.7, 0.7]);
  await dialog(page).getByRole('slider', { name: 'Brush size' }).fill('3');
  await paint(page, [0.1, 0.9], [0.3, 0.6], [0.32, 0.95], [0.9, 0.55]);
  await dialog(page).getByText('Mark a rectangle by numbers').click();
  for (const [side, pixels] of [
    ['Left', '700'],
    ['Top', '40'],
    ['Width', '90'],
    ['Height', '130'],
  ] as const)
    await dialog(page).getByLabel(side, { exact: true }).fill(pixels);
  await dialog(page).getByRole('button', { name: 'Mark rectangle' }).click();
  const shown = Buffer.from(
    await canvasOf(page).evaluate((element) => {
      const canvas = element as unknown as {
        width: number;
        height: number;
        getContext(kind: '2d'): { getImageData(...box: number[]): { data: Uint8ClampedArray } };
      };
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return Array.from({ length: data.length / 4 }, (_, pixel) => data[pixel * 4 + 3]!);
    }),
  );
  await send(page).click();
  await currentVersion(page, 'Version 2: A red wall').waitFor();
  const stored = await storedArea(stack, id);
  expect(stored.length).toBe(shown.length);
  const share = (differs: (pixel: number) => boolean) =>
    shown.reduce((sum, _, pixel) => sum + (differs(pixel) ? 1 : 0), 0) / shown.length;
  const difference = (pixel: number) => Math.abs(shown[pixel]! - stored[pixel]!);
  const [any, visibly] = [share((pixel) => difference(pixel) > 0), share((pixel) => difference(pixel) > 32)];
  const marked = share((pixel) => shown[pixel]! > 0);
  console.log(
    `marked ${(marked * 100).toFixed(2)} %; differs at all ${(any * 100).toFixed(3)} %, by more than 32 of 255 ${(visibly * 100).toFixed(4)} %`,
  );
  expect(marked).toBeGreaterThan(0.05);
  // Edges are soft in both, and computed in another way.
  expect(any).toBeLessThan(0.01);
  expect(visibly).toBeLessThan(0.0005);
});

test('where the browser gives noise for pixels, the image changes only where it was marked', async ({
  stack,
  finishedImage,
}) => {
  const { page, id, seller } = await finishedImage({ plan: 'enterprise' });
  await page.addInitScript(`
    CanvasRenderingContext2D.prototype.getImageData = (x, y, width, height) =>
      new ImageData(Uint8ClampedArray.from({ length: width * height * 4 }, () => Math.random() * 256), width, height);
    const toDataURL = HTMLCanvasElement.prototype.toDataURL;
    HTMLCanvasElement.prototype.toDataURL = function (...given) {
      const context = this.getContext('2d');
      context.putImageData(context.getImageData(0, 0, this.width, this.height), 0, 0);
      return toDataURL.apply(this, given);
    };
    HTMLCanvasElement.prototype.toBlob = () => { throw new DOMException('', 'SecurityError'); };`);
  await page.reload();
  await stack.images.set({ behaviours: [{ kind: 'ignore-mask' }] });
  await markAnArea(page);
  await send(page).click();
  await currentVersion(page, 'Version 2: A red wall').waitFor();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  const area = await storedArea(stack, id);
  const changed = await stack.models.generations.findOne({ parent: id });
  const views = [await seller.generation(id), await seller.generation(changed!._id)];
  const [before, after] = await Promise.all(views.map(({ image }) => pixelsOf(stack, seller, image!.url)));
  let [inside, outside] = [0, 0];
  for (let pixel = 0; pixel < area.length; pixel += 1) {
    const colour = (pixels: Buffer) => pixels.subarray(pixel * 3, pixel * 3 + 3);
    if (colour(before!).equals(colour(after!))) continue;
    if (area[pixel]! > 0) inside += 1;
    else outside += 1;
  }
  expect(outside).toBe(0);
  expect(inside).toBeGreaterThan(0);
  // A line over a quarter of the image: neither all of it nor specks.
  const marked = area.filter((value) => value > 0).length / area.length;
  expect(marked).toBeGreaterThan(0.02);
  expect(marked).toBeLessThan(0.06);
});

test('a change that is refused keeps the dialog with its strokes and words; a double click makes one change', async ({
  stack,
  finishedImage,
}) => {
  const { page, id } = await finishedImage({ plan: 'enterprise' });
  const held = Promise.withResolvers<Route>();
  await page.route(`**${paths.changes(id)}`, (route) => held.resolve(route), { times: 1 });
  await markAnArea(page);
  await send(page).click();
  const route = await held.promise;
  await dialog(page).getByRole('button', { name: 'Sending...' }).waitFor();
  await route.fulfill({
    status: 400,
    json: {
      error: { code: 'VALIDATION', message: 'Not this time.', requestId: '0'.repeat(32), field: 'marks' },
    },
  });
  await dialog(page).getByRole('alert').getByText('Not this time.').waitFor();
  expect(await dialog(page).getByLabel('What should be there?').inputValue()).toBe('A red wall');
  expect(await dialog(page).getByRole('button', { name: 'Undo' }).isEnabled()).toBe(true);
  await send(page).dblclick();
  await dialog(page).waitFor({ state: 'detached' });
  await currentVersion(page, 'Version 2: A red wall').waitFor();
  expect(await stack.models.generations.countDocuments({ parent: id })).toBe(1);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('the dialog can be closed while a change is being sent, and a refusal is still said', async ({
  finishedImage,
}) => {
  const { page, id } = await finishedImage({ plan: 'enterprise' });
  const held = Promise.withResolvers<Route>();
  await page.route(`**${paths.changes(id)}`, (route) => held.resolve(route), { times: 1 });
  await markAnArea(page);
  await send(page).click();
  const route = await held.promise;
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await route.abort();
  await page.getByText("We couldn't reach Packshot.").waitFor();
});
