/** A browser that gets images from the bucket: the page may load them, the editor may read them, and they can be saved. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, inject } from 'vitest';
import { findChromium } from '#scripts/chromium.ts';
import { dialog } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { bucketSettings } from '#tests/support/s3/bucket.ts';
import { newPrefix } from '#tests/support/s3-server.ts';
import { generate } from '#tests/support/studio-page.ts';

const place = inject('s3Bucket') && newPrefix();
const settings = place ? { ...bucketSettings(place), IMAGE_DELIVERY: 'presigned' } : {};

const test = testWithStackAndBrowser({ settings });

test.skipIf(place === undefined || findChromium() === undefined)(
  'an image from the bucket is shown, edited and downloaded',
  async ({ filledStudio }) => {
    const { page, problems } = await filledStudio('On white');
    const fromBucket: string[] = [];
    page.on('response', (reply) => {
      if (reply.url().startsWith(place!.endpoint!))
        fromBucket.push(`${reply.status()} ${new URL(reply.url()).pathname}`);
    });
    await generate(page);
    const link = page.getByRole('link', { name: 'Download', exact: true });
    await link.waitFor();
    await expect.poll(() => fromBucket).toContainEqual(expect.stringMatching(/^200 .*\/image-1\.png$/));
    const shown = page.locator('img[src*="/images/image"]').first();
    await expect
      .poll(() => shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(0);

    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toMatch(/\.png$/);
    expect(await sharp(await readFile(await download.path())).metadata()).toMatchObject({
      format: 'png',
      width: 1_024,
    });

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const button = (name: string) => dialog(page).getByRole('button', { name, exact: true });
    await button('16:9').click();
    await button('Save').click();
    await dialog(page).waitFor({ state: 'detached' });
    await expect.poll(() => fromBucket).toContainEqual(expect.stringMatching(/^200 .*\/edited-\d+\.png$/));
    expect(problems).toEqual([]);
  },
);
