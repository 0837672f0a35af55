/** The screenshots of the guides and the landing page, and how to get to each. */
import type { Page } from 'playwright-core';
import { type GenerationView, pages, paths } from '#contract';
import { samplePhotoFile } from '#tests/campaigns/samples/site/sample-photos.ts';

/** A screenshot. */
export interface Screenshot {
  /** Part of the file names; those of the guides begin with `screen-`. */
  name: string;
  alt: string;
  /** Brings the page from where the previous screenshot left it to what is shown. @param url the site's address */
  prepare: (page: Page, url: string) => Promise<void>;
}

/** The screenshots of a folder, in the order in which they are taken, by a seller who is signed in and has a few images. */
export interface ScreenshotGroup {
  folder: string;
  /** Of the files, in pixels. */
  widths: readonly number[];
  viewport: { width: number; height: number };
  deviceScaleFactor: number;
  screenshots: readonly Screenshot[];
}

const ofGuides: readonly Screenshot[] = [
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

const products = [
  ...(['candle-1', 'cushion-1', 'mug-1', 'notebook-1'] as const),
  ...(['pump-bottle-1', 'soap-1', 'tea-tin-1', 'vase-1'] as const),
];

const ofLandingPage: readonly Screenshot[] = [
  {
    name: 'batch',
    alt: 'A batch of eight products on an oak table, each with how well it matches its photo; three of them are approved',
    async prepare(page, url) {
      await page.goto(`${url}/batch/new`);
      const photos = page.locator('input[aria-label="Choose photos"]');
      await photos.setInputFiles(products.map(samplePhotoFile));
      await page.getByText('8 of 8 products are ready').waitFor();
      await page.getByRole('button', { name: 'Next: scenes' }).click();
      const scene = 'On an oak table by a window, soft morning light and a gentle shadow.';
      await page.getByLabel('Scene', { exact: true }).fill(scene);
      await page.getByRole('button', { name: 'Use it for all 8 products' }).click();
      await page.getByRole('button', { name: 'Next: check' }).click();
      await page.getByRole('button', { name: /^Make 8 images: / }).click();
      await page.getByRole('button', { name: 'Make 8 images', exact: true }).click();
      await page.getByText('8 of 8 images done').waitFor({ timeout: 240_000 });
      await page
        .getByText(/^(Match: \w+|Please compare)$/)
        .nth(7)
        .waitFor({ timeout: 240_000 });
      for (const product of ['candle', 'cushion', 'mug']) {
        await page.getByRole('button', { name: new RegExp(`Approve .?${product}`, 'u') }).click();
      }
      const { y } = (await page.getByRole('button', { name: 'Approved 3' }).boundingBox())!;
      await page.evaluate(`scrollBy(0, ${y - 80})`);
    },
  },
  {
    name: 'export',
    alt: 'Exporting an image in the formats of marketplaces: the file for Amazon with marks of its rules, and which of them it keeps',
    async prepare(page, url) {
      const { generations } = await (await page.request.get(`${url}${paths.generations}`)).json();
      const white = generations.find(({ productName }: GenerationView) => productName === 'Pump bottle');
      await page.goto(`${url}${pages.dashboard}?generation=${white.id}`);
      await page.getByRole('button', { name: 'Other formats' }).click();
      await page.getByRole('menuitem', { name: 'Export…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Export' });
      await dialog.waitFor();
      await dialog.getByText(/^Shown at \d/).waitFor();
      // Takes the focus from the field.
      await dialog.getByRole('heading', { name: 'Export' }).click();
    },
  },
];

/** All screenshots. */
export const screenshotGroups: readonly ScreenshotGroup[] = [
  {
    folder: 'screenshots',
    widths: [640, 1_280],
    viewport: { width: 1_280, height: 860 },
    deviceScaleFactor: 1,
    screenshots: ofGuides,
  },
  {
    // They are shown half as wide as the page.
    folder: 'screens',
    widths: [480, 880],
    viewport: { width: 880, height: 620 },
    deviceScaleFactor: 1.5,
    screenshots: ofLandingPage,
  },
];
