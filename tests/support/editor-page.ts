/** Steps of browser tests that edit a finished image. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { dialog } from './account-steps.ts';

/** A button of the editor. */
export const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });
export const openTab = (page: Page, name: string) => dialog(page).getByRole('tab', { name }).click();
/** Waits until the editor says this size. */
export const size = (page: Page, text: string) => dialog(page).getByText(text, { exact: true }).waitFor();

/** Waits until the stage shows an image of this size; the date follows. */
export const stageSize = (page: Page, text: string) =>
  page.getByText(new RegExp(`^${text} · \\w+ \\d`)).waitFor();

export async function openEditor(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await dialog(page).waitFor();
}

/** Saves, and waits until the editor is closed. */
export async function save(page: Page): Promise<void> {
  await button(page, 'Save').click();
  await dialog(page).waitFor({ state: 'detached' });
}

/** Moves a slider by keys. */
export async function pressOn(page: Page, label: string, key: string, times: number): Promise<void> {
  const slider = dialog(page).getByRole('slider', { name: label });
  await slider.focus();
  for (let count = 0; count < times; count += 1) await page.keyboard.press(key);
}

/** Clicks a download link, or one in a menu that is open. @returns the size of the file in pixels */
export async function downloadedSize(
  page: Page,
  name: string,
  role: 'link' | 'menuitem' = 'link',
): Promise<[width: number, height: number]> {
  const link = page.getByRole(role, { name, exact: true });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  const { width, height } = await sharp(await readFile(await download.path())).metadata();
  return [width, height];
}
