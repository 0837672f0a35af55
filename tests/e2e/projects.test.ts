import { expect } from 'vitest';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { fillInStudio, generate, openStudio } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();

test('a seller creates a project, adds an image to it, moves it, and deletes the project', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  await page.getByRole('link', { name: 'All projects' }).click();
  await page.getByRole('heading', { name: 'Projects' }).waitFor();
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByLabel('Name').fill('Mugs');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('link', { name: /^Mugs/ }).click();
  await page.getByText('There are no images in this project yet.').waitFor();

  await page.getByRole('button', { name: 'Add images' }).click();
  await expect.poll(() => page.getByLabel('Project', { exact: true }).inputValue()).toMatch(/^[0-9a-f]{24}$/);
  await fillInStudio(page, 'On oak');
  await generate(page);
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await page.getByRole('link', { name: 'Projects', exact: true }).click();
  await page.getByRole('link', { name: /^Mugs 1 image/ }).waitFor();
  expect(await layoutProblems(page, 'projects')).toEqual([]);
  await page.getByRole('link', { name: /^Mugs/ }).click();

  await page.getByRole('checkbox', { name: 'Mark Coffee cup' }).check();
  expect(await layoutProblems(page, 'a project')).toEqual([]);
  await page.getByRole('button', { name: 'Move' }).click();
  await page.getByText('1 image moved to “Untitled Project”.').waitFor();
  await page.getByText('There are no images in this project yet.').waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete project' }).click();
  await page.getByRole('link', { name: /^Untitled Project 1 image/ }).waitFor();
  expect(await page.getByRole('link', { name: /^Mugs/ }).count()).toBe(0);

  // The studio goes back to the default project.
  await page.getByRole('link', { name: 'Studio' }).click();
  await expect.poll(() => page.getByLabel('Project', { exact: true }).inputValue()).toBe('');
  expect(problems).toEqual([]);
});
