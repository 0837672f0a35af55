/** What a seller does with a finished image: make it again, look closely, export it, save it as a look. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { errorDefinitions, type GenerationView, identityRecipe, paths } from '#contract';
import { call } from '#tests/support/account.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import {
  chooseShape,
  cup,
  description,
  generate,
  openExport,
  openForm,
  openOptions,
  picker,
  removeButtons,
} from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

async function chooseInMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

test('a finished image is made again with its photos, texts and options, whatever is in the form', async ({
  stack,
  filledStudio,
}) => {
  const { page, problems } = await filledStudio('On a wooden table');
  const form = page.getByRole('form', { name: 'New product image' });
  await chooseShape(page, '2:3');
  await openOptions(page);
  await form.getByLabel('What to avoid').fill('hands');
  await generate(page);
  const download = page.getByRole('link', { name: 'Download' });
  await download.waitFor();
  const firstFile = await download.getAttribute('href');

  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menu').waitFor();
  expect(await layoutProblems(page, 'menu', '[role=menu]')).toEqual([]);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 900 });
  await openForm(page);
  await description(page).fill('In a forest');
  await chooseShape(page, '1:1');
  await page.getByRole('button', { name: 'Remove coffee-cup.png' }).click();
  await chooseInMenu(page, 'Run again with the same settings');
  await expect.poll(async () => (await stack.images.state()).calls.length).toBe(2);
  await download.waitFor();
  await openForm(page);
  await expect.poll(() => download.getAttribute('href')).not.toBe(firstFile);
  const [first, second] = (await stack.images.state()).calls;
  expect(second).toMatchObject({ size: '1024x1536', prompt: first!.prompt });
  expect(await description(page).inputValue()).toBe('On a wooden table');

  // Nothing changed since: it is another image all the same.
  await chooseInMenu(page, 'Run again with the same settings');
  await expect.poll(async () => (await stack.images.state()).calls.length).toBe(3);
  await page.getByText('97 of 100 left').first().waitFor();
  const rows = await stack.models.generations.find({ prompt: 'On a wooden table' }).lean();
  expect(new Set(rows.map((row) => row.idempotency_key)).size).toBe(3);
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a finished image becomes a photo, as it was edited; with four photos it says why not', async ({
  stack,
  finishedImage,
}) => {
  const { page, problems } = await finishedImage();
  await chooseInMenu(page, 'Use as photo');
  await page.getByText('The image is one of your product images now.').waitFor();
  await openForm(page);
  await page.getByRole('button', { name: 'Remove Coffee cup.png' }).waitFor();
  expect(await page.getByLabel('Product name').inputValue()).toBe('Coffee cup');
  await description(page).fill('On white');
  await generate(page);
  await expect.poll(async () => (await stack.images.state()).calls.length).toBe(2);
  await page.getByRole('link', { name: 'Download' }).waitFor();

  await openForm(page);
  await picker(page).setInputFiles(Array.from({ length: 3 }, () => cup));
  await expect.poll(() => removeButtons(page).count(), eventually).toBe(4);
  await chooseInMenu(page, 'Use as photo');
  await page.getByText(errorDefinitions.TOO_MANY_FILES[1]).waitFor();
  expect(problems).toEqual([]);
});

test('in the browser of an app that may save nothing, a download says what to do', async ({
  finishedImage,
}) => {
  const instagram =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22F76 Instagram 382.0.0.23.81 (iPhone15,2; iOS 18_5; en_US)';
  const { page } = await finishedImage({}, { userAgent: instagram, viewport: { width: 390, height: 844 } });
  await page.getByRole('link', { name: 'Download', exact: true }).click();
  await page
    .getByText('The browser of this app may not save files. Open this page in your browser')
    .waitFor();
});

test('a seller sees what each rule says, and why a file cannot have a name', async ({ finishedImage }) => {
  const { page, problems } = await finishedImage();
  await openExport(page);
  const dialog = page.getByRole('dialog', { name: 'Export' });
  const rules = dialog.getByRole('region', { name: 'What the rules say' });
  await rules.getByText('Background:').waitFor();
  await rules.getByText('Fails').first().waitFor();
  await dialog.getByLabel('eBay').check();
  // It is shown when it is chosen; the other one is a click away.
  await dialog.getByRole('heading', { name: 'eBay' }).waitFor();
  await rules.getByText('Pass').first().waitFor();
  await rules.getByRole('link', { name: "The marketplace's own page" }).waitFor();
  await rules.getByRole('button', { name: 'Amazon main image' }).click();
  await rules.getByText('Background:').waitFor();
  expect(await layoutProblems(page, 'the export', '[role=dialog]')).toEqual([]);
  const formats = dialog.getByRole('group', { name: 'Formats' });
  await formats.getByLabel('Find a format').fill('INSTA');
  await formats.getByText('Social media').waitFor();
  expect(await formats.getByRole('checkbox').count()).toBe(3);
  await formats.getByLabel('Find a format').fill('myspace');
  await formats.getByText('No format has “myspace” in its name.').waitFor();
  await formats.getByText('Chosen: Amazon main image, eBay').waitFor();
  await formats.getByLabel('Find a format').fill('');

  const names = dialog.getByLabel('File names');
  await names.selectOption({ label: 'Amazon: B000123456.MAIN' });
  await dialog.getByText('For example Coffee-cup.MAIN.jpg').waitFor();
  await dialog.getByLabel('ASIN').fill('B00012345');
  await dialog.getByText('An ASIN has 10 letters and digits').waitFor();
  expect(await dialog.getByRole('button', { name: 'Download' }).isDisabled()).toBe(true);
  await dialog.getByLabel('ASIN').fill('b000123456');
  await dialog.getByText('For example B000123456.MAIN.jpg').waitFor();
  await names.selectOption({ label: 'Your own pattern' });
  await dialog.getByLabel('Pattern').fill('{product}-{price}');
  await dialog.getByText('Use text and {product}, {sku}').waitFor();
  expect(await dialog.getByRole('button', { name: 'Download' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Pattern').fill('{preset} of {product}');
  await dialog.getByText('For example amazon-main-of-Coffee-cup.jpg').waitFor();

  await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ]);
  await page.keyboard.press('Escape');
  await openExport(page);
  const last = formats.getByRole('group', { name: 'Used last' });
  await last.getByLabel('eBay').waitFor();
  expect(await formats.getByLabel('eBay').count()).toBe(1);
  expect(problems).toEqual([]);
});

test('a message goes while the pointer is on it, and what is below can be pressed; an error can be copied', async ({
  finishedImage,
}) => {
  const { page, problems } = await finishedImage();
  await page.getByRole('button', { name: 'Use these settings' }).click();
  const message = page.locator('[data-sonner-toast]', { hasText: 'are in the form now' });
  await message.waitFor();
  const { x, y, width, height } = (await message.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  expect(await message.evaluate((element) => element.matches(':hover'))).toBe(false);
  await message.waitFor({ state: 'detached' });

  await page.route('**/api/generations/*', (route) => route.abort());
  await chooseInMenu(page, 'Add to favourites');
  const error = page.locator('[data-sonner-toast][data-type=error]');
  await error.hover();
  expect(await error.evaluate((element) => element.matches(':hover'))).toBe(true);
  expect(problems.filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
});

test('a seller compares an image with its photo, and zooms into it in full screen', async ({
  finishedImage,
}) => {
  const { page, problems } = await finishedImage();
  const compare = page.getByRole('button', { name: 'Compare', exact: true });
  await compare.click();
  const [photo, image] = [
    page.getByRole('group', { name: /^Photo\. / }),
    page.getByRole('group', { name: /^Image\. / }),
  ];
  await photo.waitFor();
  expect(await layoutProblems(page, 'comparing')).toEqual([]);
  const places = () =>
    Promise.all([photo, image].map((pane) => pane.locator(':scope > div').getAttribute('style')));
  /** Waits until both are at the same place. */
  const linked = async () => {
    await expect.poll(async () => new Set(await places()).size, eventually).toBe(1);
    const [place] = await places();
    expect(place).toContain('transform');
    return place;
  };
  const all = await linked();
  await image.focus();
  await page.keyboard.press('+');
  await page.getByText('150 %').waitFor();
  const zoomed = await linked();
  expect(zoomed).not.toBe(all);
  await page.keyboard.press('ArrowRight');
  await expect.poll(linked, eventually).not.toBe(zoomed);
  const moved = await linked();
  const frame = (await photo.boundingBox())!;
  await page.mouse.move(frame.x + 80, frame.y + 80);
  await page.mouse.down();
  await page.mouse.move(frame.x + 120, frame.y + 110, { steps: 4 });
  await page.mouse.up();
  await expect.poll(linked, eventually).not.toBe(moved);
  await page.keyboard.press('0');
  await page.getByText('100 %').waitFor();
  expect(await linked()).toBe(all);
  // What does not zoom is left to the browser: its own zoom, and a page that scrolls.
  await page.keyboard.press('Control+0');
  await page.mouse.wheel(0, 100);
  expect(await linked()).toBe(all);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.getByText('150 %').waitFor();
  await linked();
  await compare.click();
  await photo.waitFor({ state: 'detached' });

  const fullScreen = page.getByRole('button', { name: 'Full screen' });
  await fullScreen.click();
  const viewer = page.getByRole('dialog', { name: 'Full screen' });
  const zoomIn = viewer.getByRole('button', { name: 'Zoom in' });
  await zoomIn.click();
  await viewer.getByRole('button', { name: 'Zoom out' }).and(page.locator(':enabled')).waitFor();
  expect(await layoutProblems(page, 'full screen')).toEqual([]);
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  await fullScreen.and(page.locator(':focus')).waitFor();
  expect(problems).toEqual([]);
});

test('an image before its edits lies under a slider, unless they changed its frame', async ({
  finishedImage,
}) => {
  const { page, seller, id, problems } = await finishedImage();
  const edit = async (change: object, basedOn: number | null) => {
    const recipe = { ...identityRecipe, ...change };
    const { body } = await call<GenerationView>(seller, 'PUT', paths.edits(id), { recipe, basedOn });
    return body.edits!.version;
  };
  const version = await edit({ brightness: 20 }, null);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  const before = page.getByRole('button', { name: 'The image before the edits' });
  await before.click();
  const border = page.getByRole('slider', { name: 'Border between before the edits and this image' });
  await border.focus();
  await page.keyboard.press('End');
  expect(await border.getAttribute('aria-valuetext')).toBe('100% before the edits, 0% this image');
  expect(await layoutProblems(page, 'before and after edits')).toEqual([]);

  await edit({ crop: { left: 0, top: 0, width: 0.5, height: 0.5 } }, version);
  await page.getByRole('group', { name: /^Before the edits\. / }).waitFor();
  expect(await border.count()).toBe(0);
  expect(problems).toEqual([]);
});

test('a seller saves an image as a look, applies it, undoes that, and deletes it', async ({
  stack,
  filledStudio,
}) => {
  const countGenerations = () => stack.models.generations.countDocuments({});
  const others = await countGenerations();
  const { page, problems } = await filledStudio('Studio Photography Setup: On oak');
  await generate(page);
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Save as look' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Oak');
  expect(await page.getByLabel('Scene', { exact: true }).inputValue()).toBe('On oak');
  await page.getByRole('button', { name: 'Save look' }).click();
  await page.getByText('Look “Oak” saved.').waitFor();

  await openForm(page);
  await description(page).fill('Something else');
  await openOptions(page);
  await page.getByRole('button', { name: 'Looks' }).click();
  // Saving in a dialog that belongs to the studio's form does not submit that form.
  await page.getByRole('button', { name: 'Edit Oak' }).click();
  await page.getByLabel('Scene', { exact: true }).fill('On dark oak');
  await page.getByText('Options and exports').click();
  await page.getByLabel('Images', { exact: true }).selectOption('3');
  await page.getByLabel('eBay').check();
  // An own preset, made here: saving it does not save the look.
  await page.getByRole('button', { name: 'New preset' }).click();
  const preset = page.getByRole('dialog', { name: 'New preset' });
  await preset.getByLabel('Name', { exact: true }).fill('Shop');
  await preset.getByRole('button', { name: 'Save preset' }).click();
  await page.getByText('Chosen: Shop, eBay').waitFor();
  expect(await layoutProblems(page, 'look', '[role=dialog]')).toEqual([]);
  await page.getByRole('button', { name: 'Save look' }).click();
  await page.getByRole('button', { name: 'Duplicate Oak' }).click();
  await page.getByRole('button', { name: 'Edit Oak copy' }).waitFor();
  expect(await layoutProblems(page, 'looks')).toEqual([]);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: /^Oak(,|$)/ }).click();
  // The seller's own words stay after those of the look.
  await expect
    .poll(() => description(page).inputValue())
    .toBe('Studio Photography Setup: On dark oak. Something else');
  await page.getByText('Makes 3 images').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => description(page).inputValue()).toBe('Something else');

  // Messages stay as long as the pointer is over them, and those of a fast machine are still there.
  await description(page).hover();
  await page.getByRole('button', { name: 'Your looks' }).click();
  const scenes = page.getByRole('region', { name: 'Scenes' });
  await scenes.getByRole('button', { name: 'Looks', exact: true }).click();
  await page.getByRole('button', { name: 'Delete Oak', exact: true }).click();
  await page.getByRole('button', { name: 'Edit Oak', exact: true }).waitFor({ state: 'detached' });
  // The look's formats are chosen in the next export.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Oak(,|$)/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Oak copy(,|$)/ }).waitFor();
  await page.getByRole('region', { name: 'Earlier images' }).getByRole('button').click();
  await openExport(page);
  expect(await page.getByLabel('eBay').isChecked()).toBe(true);
  expect(await page.getByRole('checkbox', { name: /^Shop 2000/ }).isChecked()).toBe(true);
  expect(await page.getByLabel('Amazon main image').isChecked()).toBe(false);
  expect(await countGenerations()).toBe(others + 1);
  expect(problems).toEqual([]);
});
