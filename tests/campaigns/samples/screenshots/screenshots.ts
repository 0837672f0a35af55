/** The screenshots of the guides, and how to get to each. */
import type { Page } from 'playwright-core';
import { pages } from '#contract';
import { samplePhotoFile } from '#tests/campaigns/samples/site/sample-photos.ts';

/** A screenshot. */
export interface Screenshot {
  /** Part of the file names; begins with `screen-`. */
  name: string;
  alt: string;
  /** Brings the page from where the previous screenshot left it to what is shown. @param url the site's address */
  prepare: (page: Page, url: string) => Promise<void>;
}

/** Widths of the files in pixels. */
export const screenshotWidths: readonly number[] = [640, 1280];

/** The screenshots in the order in which they are taken, by a seller who is signed in and has a few images. */
export const screenshots: readonly Screenshot[] = [
  {
    name: 'screen-studio-photos',
    alt: 'The studio: a pump bottle on the left, scenes that show it, and a scene description below',
    async prepare(page, url) {
      await page.goto(`${url}${pages.dashboard}`);
      const photos = ['pump-bottle-1', 'pump-bottle-2', 'pump-bottle-3'] as const;
      await page.locator('input[type=file]').first().setInputFiles(photos.map(samplePhotoFile));
      await page.getByText('One thing missing: a scene').waitFor();
      const scene = 'On white marble in front of pale tiles, fresh morning light and a gentle shadow.';
      await page.getByLabel('Scene description').fill(scene);
      await page.getByText('Sketches with your cut-out').waitFor();
    },
  },
  {
    name: 'screen-scene-library',
    alt: 'The scenes of the group Season in the studio, with a pump bottle in each',
    async prepare(page) {
      await page.getByText('Sketches with your cut-out').waitFor();
      await page.getByRole('button', { name: 'Season' }).click();
      await page.getByRole('button', { name: 'Winter snow' }).waitFor();
    },
  },
  {
    name: 'screen-studio-result',
    alt: 'The studio with the finished image of the pump bottle, a Download link and a Clear button',
    async prepare(page) {
      await page.getByRole('button', { name: 'Generate Image' }).click();
      await page.getByRole('link', { name: 'Download' }).waitFor({ timeout: 120_000 });
    },
  },
  {
    name: 'screen-studio-set',
    alt: 'The studio with a set of four images of the pump bottle, each with its own light and framing',
    async prepare(page) {
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByRole('group', { name: 'Images' }).getByText('4', { exact: true }).click();
      await page.getByRole('button', { name: 'Generate Image' }).click();
      await page.getByText('4 of 4 images ready').first().waitFor({ timeout: 120_000 });
    },
  },
  {
    name: 'screen-plan',
    alt: 'Plan & billing in the Account Settings: the current plan with the images that are left, and all plans',
    async prepare(page, url) {
      await page.goto(`${url}${pages.plan}`);
      await page
        .getByText(/\d+ of \d+ left/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'screen-usage',
    alt: 'Usage in the Account Settings: each image that was added or used, with its date',
    async prepare(page, url) {
      await page.goto(`${url}${pages.usage}`);
      await page.getByRole('heading', { name: 'Usage' }).first().waitFor();
      await page.getByText('Pump bottle 1').first().waitFor();
    },
  },
  {
    name: 'screen-security',
    alt: 'Security in the Account Settings: password, two-factor sign-in and the devices that are signed in',
    async prepare(page, url) {
      await page.goto(`${url}${pages.security}`);
      await page.getByText('This device').first().waitFor();
      // The session of the program that made the first images.
      const other = page.getByRole('button', { name: /^Sign out(?! everywhere)/ });
      await other.click();
      await other.waitFor({ state: 'detached' });
      // Without the message about it.
      await page.reload();
      await page.getByText('This device').first().waitFor();
    },
  },
];
