/** What a seller does with an image that is finished: other versions, edits, files for marketplaces, and keeping order. */
import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { expect } from 'vitest';
import { dialog } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import {
  button,
  downloadedSize,
  openEditor,
  openTab,
  pressOn,
  save,
  size,
  stageSize,
} from '#tests/support/editor-page.ts';
import { eventually } from '#tests/support/harness.ts';
import { follow, press, see } from '#tests/support/page-steps.ts';
import { fillInStudio, generate, openExport, openOptions, openStudio } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

test('a change in words makes a version, the first one can still be opened, and its image is made again', async ({
  stack,
  finishedImage,
}) => {
  const { page, problems } = await finishedImage();
  const panel = page.getByRole('form', { name: 'Change something' });
  await panel.getByText('Marking an area is part of the Enterprise plan.').waitFor();
  await panel.getByLabel('Change something').fill('Make the wall blue');
  await panel.getByRole('button', { name: 'Make the change' }).click();
  const shown = (name: string) =>
    page.getByRole('button', { name }).and(page.locator('[aria-current=true]')).waitFor();
  await shown('Version 2: Make the wall blue');
  await see(page, '98 of 100 left');
  const versions = page.getByRole('navigation', { name: 'Versions of this image' });
  await versions.getByRole('button', { name: 'Version 1: First version' }).click();
  await shown('Version 1: First version');

  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Run again with the same settings', exact: true }).click();
  await see(page, '97 of 100 left');
  await page.getByRole('link', { name: 'Download' }).waitFor();
  const [first, , again] = (await stack.images.state()).calls;
  expect(again!.prompt).toBe(first!.prompt);
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a seller crops, turns and corrects an image, and downloads it, the original, and files for two marketplaces', async ({
  stack,
  finishedImage,
}) => {
  const { page, problems } = await finishedImage();
  await openEditor(page);
  expect(await button(page, 'Save').isDisabled()).toBe(true);
  await size(page, '1024 × 1024 px');
  await button(page, '16:9').click();
  await size(page, '1024 × 576 px');
  await openTab(page, 'Turn');
  await button(page, 'Right').click();
  await size(page, '576 × 1024 px');
  await openTab(page, 'Colours');
  await pressOn(page, 'Warmth', 'ArrowRight', 3);
  await dialog(page).getByText('+3', { exact: true }).waitFor();
  await save(page);
  await stageSize(page, '576 × 1024 px');
  await page.locator('img[src*="/images/edited-"][src$="-thumbnail"]').first().waitFor();
  expect(await downloadedSize(page, 'Download')).toEqual([576, 1_024]);
  await page.getByRole('button', { name: 'Other formats' }).click();
  expect(await downloadedSize(page, 'Download the original', 'menuitem')).toEqual([1_024, 1_024]);

  await page.reload();
  await stageSize(page, '576 × 1024 px');
  await openEditor(page);
  await openTab(page, 'Colours');
  await dialog(page).getByText('+3', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });

  await openExport(page);
  const rules = dialog(page).getByRole('region', { name: 'What the rules say' });
  await dialog(page).getByLabel('eBay').check();
  await rules.getByText('Pass').first().waitFor();
  await dialog(page).getByLabel('File names').selectOption({ label: 'Your own pattern' });
  await dialog(page).getByLabel('Pattern').fill('{preset} of {product}');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page).getByRole('button', { name: 'Download 2 files (ZIP)' }).click(),
  ]);
  const zip = unzipSync(await readFile(await download.path()));
  expect(Object.keys(zip)).toEqual(['amazon-main-of-Coffee-cup.jpg', 'ebay-of-Coffee-cup.jpg']);
  for (const file of Object.values(zip)) {
    expect(await sharp(file).metadata()).toMatchObject({ format: 'jpeg', width: 900, height: 1_600 });
  }
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a seller makes an image in a project, finds it in the library, deletes it and undoes that, and deletes the project', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  await openOptions(page);
  await follow(page, 'All projects');
  await page.getByRole('heading', { name: 'Projects' }).waitFor();
  await press(page, 'New project');
  await page.getByLabel('Name').fill('Mugs');
  await press(page, 'Create');
  await follow(page, /^Mugs/);
  await see(page, 'There are no images in this project yet.');
  await press(page, 'Add images');
  await openOptions(page);
  await expect.poll(() => page.getByLabel('Project', { exact: true }).inputValue()).toMatch(/^[0-9a-f]{24}$/);
  await fillInStudio(page, 'On oak');
  await generate(page);
  await page.getByRole('link', { name: 'Download' }).waitFor();

  await page.goto(`${stack.url}/library`);
  const tile = (name: string) => page.getByRole('gridcell', { name });
  const search = page.getByLabel('Search by name, SKU or scene');
  await tile('Coffee cup').waitFor();
  await search.fill('mug');
  await see(page, 'No images match your search and filters.');
  await search.fill('CUP');
  await tile('Coffee cup').focus();
  await page.keyboard.press('Space');
  await see(page, '1 marked');
  await page.getByRole('button', { name: 'Favourite', exact: true }).click();
  await tile('Favourite Coffee cup').waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await see(page, '1 image moved to Trash.');
  await press(page, 'Undo');
  await tile('Favourite Coffee cup').waitFor();

  await page.getByRole('link', { name: 'Projects', exact: true }).click();
  await follow(page, /^Mugs 1 image/);
  await page.getByRole('checkbox', { name: 'Mark Coffee cup' }).check();
  await press(page, 'Move');
  await see(page, '1 image moved to “Untitled Project”.');
  await see(page, 'There are no images in this project yet.');
  await press(page, 'Delete');
  await press(page, 'Delete project');
  await page.getByRole('link', { name: /^Untitled Project 1 image/ }).waitFor();
  expect(await page.getByRole('link', { name: /^Mugs/ }).count()).toBe(0);
  // The studio goes back to the default project.
  await page.getByRole('link', { name: 'Studio' }).click();
  await openOptions(page);
  await expect.poll(() => page.getByLabel('Project', { exact: true }).inputValue()).toBe('');
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
