/** Steps of browser tests that use the studio. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { openDashboard } from './account-steps.ts';
import type { TestStack } from './stack.ts';
import { newAddress } from './visitor.ts';

/** A photo of a cup; the studio suggests the product name "Coffee cup". */
export const cup = join(rootFolder, 'scripts', 'sample', 'coffee-cup.png');

export const description = (page: Page) => page.getByLabel('Scene description');
export const picker = (page: Page) => page.locator('input[type=file]').first();
export const generate = (page: Page) => page.getByRole('button', { name: 'Generate Image' }).click();

/** Opens the studio as a new seller with a paid plan; journey.test.ts tests how a seller gets there. */
export async function openStudio(stack: TestStack, page: Page, email = newAddress()): Promise<void> {
  await stack.seller({ email });
  await openDashboard(stack, page, email);
}

/** Chooses a photo of a cup and describes the scene. */
export async function fillInStudio(page: Page, scene: string): Promise<void> {
  await picker(page).setInputFiles(cup);
  await description(page).fill(scene);
}

/** The stored draft, as an expression: its texts and the names of its photos; null without one. It never makes the database. */
const draftExpression = `new Promise((resolve, reject) => {
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
      const photos = files.result.filter((file) => file instanceof File).map(({ name }) => name);
      resolve(draft.result || photos.length > 0 ? { ...draft.result, photos } : null);
    };
  };
})`;
/** @returns the draft that the browser has stored, or null */
export const storedDraft = (page: Page) => page.evaluate<object | null>(draftExpression);
