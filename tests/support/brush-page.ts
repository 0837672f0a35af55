/** Steps of browser tests that mark an area of a finished image. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { dialog } from './account-steps.ts';
import type { TestStack } from './stack.ts';

/** The version that is shown, if it has this name. */
export const currentVersion = (page: Page, name: string) =>
  page.getByRole('button', { name }).and(page.locator('[aria-current=true]'));

/** What the seller paints on. */
export const canvasOf = (page: Page) => dialog(page).getByLabel('Paint over what should change');
/** The button that makes the change. */
export const send = (page: Page) => dialog(page).getByRole('button', { name: 'Make the change' });

/** Paints a line between places of the image, given in fractions of its sides. */
export async function paint(page: Page, ...[first, ...rest]: [x: number, y: number][]): Promise<void> {
  const box = (await canvasOf(page).boundingBox())!;
  const move = ([x, y]: [number, number], steps?: number) =>
    page.mouse.move(box.x + box.width * x, box.y + box.height * y, { ...(steps && { steps }) });
  await move(first!);
  await page.mouse.down();
  for (const place of rest) await move(place, 5);
  await page.mouse.up();
}

/** Opens the brush, paints a line in the upper half and says what should be there. */
export async function markAnArea(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Mark an area' }).click();
  await paint(page, [0.25, 0.25], [0.5, 0.25]);
  expect(await send(page).isDisabled()).toBe(true);
  await dialog(page).getByLabel('What should be there?').fill('A red wall');
}

/** The mask of the newest change: how far each pixel may change, 0 to 255. */
export async function storedArea(stack: TestStack, parent: string): Promise<Buffer> {
  const row = await stack.models.generations.findOne({ parent });
  const mask = await stack.server.context.storage.get(row!.change!.mask_key!);
  return sharp(mask!).extractChannel('alpha').negate().raw().toBuffer();
}
