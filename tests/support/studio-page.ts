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
