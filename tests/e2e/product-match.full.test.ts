/** What a seller sees of the product match: the stand-in answers with a picture of something else. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { openAs } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { generate } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser({ settings: { PRODUCT_MATCH: 'true' } });

test('an image of something else has a low match, and is made again at no charge, once', async ({
  stack,
  filledStudio,
}) => {
  const { page, problems } = await filledStudio('On a wooden table');
  await generate(page);
  await page.getByText('Product match: low. Please compare the label').waitFor();
  await page.getByText('99 of 100 left').first().waitFor();
  expect(await layoutProblems(page, 'product match')).toEqual([]);

  const again = page.getByRole('button', { name: 'Make it again at no charge' });
  await again.click();
  await again.waitFor({ state: 'detached' });
  await page
    .getByRole('button', { name: /^Coffee cup/ })
    .nth(1)
    .waitFor();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await page.getByText('Product match: low. Please compare the label').waitFor();
  expect(await again.count()).toBe(0);
  await page.getByText('99 of 100 left').first().waitFor();
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

const part = (page: Page, of: string) => page.getByRole('img', { name: `The part to compare: ${of}` });

test('what differs is shown as a part of the photo beside a part of the image; a match from before has none', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller();
  const red = await sharp({ create: { width: 240, height: 120, channels: 3, background: '#d02020' } })
    .png()
    .toBuffer();
  const file = await sharp({ create: { width: 1200, height: 600, channels: 3, background: '#2040d0' } })
    .composite([{ input: red, left: 720, top: 60 }])
    .png()
    .toBuffer();
  const { _id: id } = await insertImage(stack, seller, { file });
  const { generations } = stack.models;
  await generations.updateOne({ _id: id }, { $set: { match: { level: 'medium', area: null } } });
  const { page, problems } = await openWindow();
  await openAs(stack, page, seller, `/dashboard?generation=${id}`);
  await page.getByText('Product match: medium').waitFor();
  expect(await part(page, 'image').count()).toBe(0);

  const inPhoto = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 };
  const crops = { photo: 0, inPhoto, inImage: { x: 0.6, y: 0.1, width: 0.2, height: 0.2 } };
  await generations.updateOne({ _id: id }, { $set: { 'match.crops': crops } });
  await page.reload();
  await part(page, 'your photo').waitFor();
  // The red part fills the frame in one direction, and its middle is that of the frame.
  await part(page, 'image').scrollIntoViewIfNeeded();
  const frame = part(page, 'image').locator('..');
  const redAt = async (x: number, y: number) => {
    const shot = sharp(await frame.screenshot());
    const { width, height } = await shot.metadata();
    const pixel = { left: Math.round(x * width), top: Math.round(y * height), width: 1, height: 1 };
    const [channel] = await shot.extract(pixel).removeAlpha().raw().toBuffer();
    return channel! > 150;
  };
  await expect.poll(() => redAt(0.5, 0.5), eventually).toBe(true);
  expect([await redAt(0.04, 0.5), await redAt(0.96, 0.5)]).toEqual([true, true]);
  expect([await redAt(0.5, 0.08), await redAt(0.5, 0.92)]).toEqual([false, false]);
  expect(await layoutProblems(page, 'parts to compare')).toEqual([]);
  expect(problems).toEqual([]);
});
