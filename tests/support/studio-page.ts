/** The studio as a seller uses it in a browser. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { testPassword } from './seller.ts';
import type { TestStack } from './stack.ts';

/** A photo of a cup; the studio names the product "Coffee cup" after it. */
export const cup = join(rootFolder, 'scripts', 'sample', 'coffee-cup.png');

export const newEmail = () => `ana-${randomUUID()}@shop.example`;
export const description = (page: Page) => page.getByLabel('Scene description');
export const picker = (page: Page) => page.locator('input[type=file]').first();
export const generate = (page: Page) => page.getByRole('button', { name: 'Generate Image' }).click();

/** Opens the studio of a new seller with a paid plan. How one becomes that is journey.test.ts's. */
export async function openStudio(stack: TestStack, page: Page, email = newEmail()): Promise<void> {
  await stack.seller({ email });
  await signIn(stack, page, email);
  await description(page).waitFor();
}

export async function signIn(stack: TestStack, page: Page, email: string): Promise<void> {
  await page.goto(`${stack.url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(testPassword);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/dashboard');
}
