/** The studio after an image: photos of the next product, and what the next image would use. */
import { expect } from 'vitest';
import { paths } from '#contract';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { press } from '#tests/support/page-steps.ts';
import { colouredPhoto } from '#tests/support/photos.ts';
import {
  chooseCount,
  cup,
  description,
  download,
  generate,
  mug,
  openForm,
  picker,
  removeButtons,
} from '#tests/support/studio-page.ts';

/** `madeImage` opens the studio with an image that was made from its form. */
const test = testWithStackAndBrowser().extend('madeImage', ({ filledStudio }) => async () => {
  const window = await filledStudio('On oak');
  await generate(window.page);
  await download(window.page).waitFor();
  return window;
});
test.beforeEach(({ stack }) => stack.images.reset());

test('a photo that is dropped on a finished image is another product; undone, the earlier ones are there', async ({
  madeImage,
}) => {
  const { page, problems } = await madeImage();
  // Also when something else was changed since, and after a reload.
  await page.keyboard.press('2');
  await page.getByText('Makes 2 images').waitFor();
  await page.reload();
  await download(page).waitFor();
  await page.getByText('Makes 2 images').waitFor();
  await picker(page).setInputFiles(mug);
  await page.getByRole('button', { name: 'Remove mug-1.jpg' }).first().waitFor();
  await page.getByText('The earlier photos were replaced.').waitFor();
  expect(await removeButtons(page).count()).toBe(1);
  expect(await description(page).inputValue()).toBe('On oak');

  await press(page, 'Undo');
  await page.getByRole('button', { name: 'Remove coffee-cup.png' }).first().waitFor();
  expect(await removeButtons(page).count()).toBe(1);
  // The image is not shown any more: what comes now is added.
  await picker(page).setInputFiles({
    name: 'side.png',
    mimeType: 'image/png',
    buffer: await colouredPhoto('#4060a0'),
  });
  await expect.poll(() => removeButtons(page).count(), eventually).toBe(2);
  expect(problems).toEqual([]);
});

test('a photo that is dropped beside an image of another product joins the photos of the form, and is seen', async ({
  madeImage,
}) => {
  const { page, problems } = await madeImage();
  await openForm(page);
  await removeButtons(page).first().click();
  await picker(page).setInputFiles(mug);
  await page.getByRole('button', { name: 'Remove mug-1.jpg' }).first().waitFor();
  await press(page, 'Close');
  await picker(page).setInputFiles(cup);
  await expect.poll(() => removeButtons(page).count(), eventually).toBe(2);
  expect(problems).toEqual([]);
});

test.for([
  [1_024, 768],
  [390, 844],
])(
  'beside a finished image in %i × %i px it is said that more than one image is used, and what is missing',
  async ([width, height], { madeImage }) => {
    const { page, problems } = await madeImage();
    await page.setViewportSize({ width: width!, height: height! });
    expect(await page.getByText('Makes 1 image, leaves').count()).toBe(0);
    await page.keyboard.press('4');
    await page.getByText('Makes 4 images, leaves 95').waitFor();
    expect(await layoutProblems(page, 'more than one image')).toEqual([]);
    await page.setViewportSize({ width: width!, height: height! });
    await openForm(page);
    await chooseCount(page, 1);
    await removeButtons(page).first().click();
    await press(page, 'Close');
    await page.getByText('Add a photo first').waitFor();
    expect(problems).toEqual([]);
  },
);

test('an image is not made in a quality that the seller has just changed away from', async ({
  filledStudio,
}) => {
  const { page, seller } = await filledStudio('On oak');
  const answer = Promise.withResolvers<void>();
  await page.route(`**${paths.settings}`, async (route) => {
    await answer.promise;
    await route.abort();
  });
  await page.getByLabel('Quality').selectOption({ label: 'Low' });
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(paths.generations)) sent.push(request.url());
  });
  await generate(page);
  answer.resolve();
  await page.getByText("We couldn't reach Packshot").waitFor();
  await expect.poll(() => page.getByLabel('Quality').inputValue(), eventually).toBe('high');
  expect(sent).toEqual([]);
  // What is shown now is what the server has.
  await page.unroute(`**${paths.settings}`);
  await generate(page);
  await download(page).waitFor();
  expect(sent).toHaveLength(1);
  expect((await seller.me()).subscription.generationsLeft).toBe(99);
});
