/** Steps of browser tests that use the studio. */
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { openAs } from './account-steps.ts';
import type { NewSeller, Seller } from './seller.ts';
import type { TestStack } from './stack.ts';

/** A photo of a cup; the studio suggests the product name "Coffee cup". */
export const cup = join(rootFolder, 'tests', 'support', 'sample', 'coffee-cup.png');

/** A photo as a camera takes it; the studio suggests the product name "Mug 1". */
export const mug = join(rootFolder, 'scripts', 'local', 'photos', 'mug-1.jpg');

export const description = (page: Page) => page.getByLabel('Scene description');
export const picker = (page: Page) => page.locator('input[type=file]').first();
/** The buttons that remove the form's photos, one for each. */
export const removeButtons = (page: Page) => page.getByRole('button', { name: /^Remove / });
export const generate = (page: Page) => page.getByRole('button', { name: 'Generate Image' }).click();

/** The button of a finished image. */
export const download = (page: Page) => page.getByRole('link', { name: 'Download', exact: true });

/** Opens the studio as a new seller with a paid plan, whose session began elsewhere. */
export async function openStudio(stack: TestStack, page: Page, details: NewSeller = {}): Promise<Seller> {
  const seller = await stack.seller(details);
  await openAs(stack, page, seller, '/dashboard');
  await description(page).waitFor();
  return seller;
}

/** Chooses a photo of a cup and describes the scene. */
export async function fillInStudio(page: Page, scene: string): Promise<void> {
  await picker(page).setInputFiles(cup);
  await description(page).fill(scene);
}

/** Waits until the form has this scene and a photo of a cup again. */
export async function expectRestored(page: Page, prompt: string): Promise<void> {
  await expect.poll(() => description(page).inputValue()).toBe(prompt);
  await page.getByRole('button', { name: 'Remove coffee-cup.png' }).first().waitFor();
  // The photo itself is there, not only its name.
  const shown = page.getByRole('img', { name: 'coffee-cup.png' }).first();
  await expect
    .poll(() => shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
    .toBeGreaterThan(0);
}

/** Waits until the browser has stored a draft with these texts and a photo of a cup. */
export const untilStored = (page: Page, texts: object) =>
  expect.poll(() => storedDraft(page)).toMatchObject({ ...texts, photos: ['coffee-cup.png'] });

/** The stored draft, as an expression: its texts and the names of its photos; null without one. It never makes the database. */
export const draftExpression = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('packshot');
  opening.onerror = () => reject(opening.error);
  opening.onupgradeneeded = () => {
    opening.transaction.abort();
    resolve(null);
  };
  opening.onsuccess = () => {
    const store = opening.result.transaction('draft').objectStore('draft');
    const draft = store.get('draft');
    const files = store.getAll();
    store.transaction.oncomplete = () => {
      opening.result.close();
      const photos = files.result.filter((file) => file?.bytes instanceof ArrayBuffer).map(({ name }) => name);
      resolve(draft.result || photos.length > 0 ? { ...draft.result, photos } : null);
    };
  };
})`;
/** @returns the draft that the browser has stored, or null */
export const storedDraft = (page: Page) => page.evaluate<object | null>(draftExpression);

/** The uploads of a window, which wait until the test continues or aborts them. */
interface HeldUploads {
  /** The idempotency keys of all uploads so far. */
  keys: string[];
  /** Waits for the next upload. */
  next(): Promise<Route>;
}

/** Holds every submission of a window. */
export async function holdUploads(page: Page): Promise<HeldUploads> {
  const keys: string[] = [];
  const held: Route[] = [];
  let arrived = Promise.withResolvers<void>();
  await page.route('**/api/generations', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    keys.push(route.request().headers()['idempotency-key']!);
    held.push(route);
    arrived.resolve();
  });
  return {
    keys,
    next: async () => {
      while (held.length === 0) {
        arrived = Promise.withResolvers();
        await arrived.promise;
      }
      return held.shift()!;
    },
  };
}

/** The part of the studio that shows a set. */
export const setStage = (page: Page) => page.getByRole('region', { name: /visualizations|Coffee cup/ });

/** Chooses how many images are made. */
export async function chooseCount(page: Page, count: number): Promise<void> {
  await page.getByRole('group', { name: 'Images' }).getByText(String(count), { exact: true }).click();
}

/** Asks for four images with a form that is filled in. */
export async function generateFour(page: Page): Promise<void> {
  await chooseCount(page, 4);
  await page.getByText('Makes 4 images').waitFor();
  await generate(page);
}

/** The form, whose words and options are one line while something is shown. */
export const studioForm = (page: Page) => page.getByRole('form', { name: 'New product image' });

/** Opens the form while something is shown. */
export const openForm = (page: Page) => page.getByRole('button', { name: 'Words and options' }).click();

/** Shows the options that are not in the form's row. */
export const openOptions = (page: Page) => page.getByRole('button', { name: 'More options' }).click();

/** Chooses the shape of the image, such as `2:3`. */
export const chooseShape = (page: Page, ratio: string) =>
  page.getByRole('group', { name: 'Shape' }).getByText(ratio, { exact: true }).click();

/** Opens the export of the finished image that is shown. */
export async function openExport(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Other formats' }).click();
  await page.getByRole('menuitem', { name: 'Export…' }).click();
}
