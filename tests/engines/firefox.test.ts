/** What a seller does, in Debian's Firefox as it is installed. */
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { copy, paste } from '#tests/support/clipboard.ts';
import { openEditor } from '#tests/support/editor-page.ts';
import { firefoxWith } from '#tests/support/firefox.ts';
import { makeFirstImage, phoneOf, phoneSize } from '#tests/support/first-image.ts';
import { eventually } from '#tests/support/harness.ts';
import { press, see } from '#tests/support/page-steps.ts';
import {
  description,
  generate,
  mug,
  openForm,
  openOptions,
  openStudio,
  picker,
  removeButtons,
  storedDraft,
} from '#tests/support/studio-page.ts';
import { temporaryFolder } from '#tests/support/test.ts';

const test = testWithStackAndBrowser({}, firefoxWith()).extend('folder', ({ stack }, { onCleanup }) =>
  temporaryFolder(stack, onCleanup),
);
test.beforeEach(({ stack }) => stack.images.reset());

test('a seller comes from the landing page to an image that appears by itself, finds it again and signs out', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow({ viewport: phoneSize });
  await makeFirstImage(stack, phoneOf(page, false));
  expect(problems).toEqual([]);
  await press(page, /account of/i);
  // What is still being loaded when the session ends is refused.
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await see(page, 'You are signed out.');
});

test('a photo that changes or is deleted after it was chosen is kept, over a reload as well, and sent as it was', async ({
  stack,
  openWindow,
  folder,
}) => {
  const { page, problems } = await openWindow();
  const seller = await openStudio(stack, page);
  const [changed, deleted] = [join(folder, 'changed.jpg'), join(folder, 'deleted.jpg')];
  await Promise.all([copyFile(mug, changed), copyFile(mug, deleted)]);
  await picker(page).setInputFiles([changed, deleted]);
  await expect.poll(() => removeButtons(page).count(), eventually).toBe(2);
  await Promise.all([writeFile(changed, 'another file'), rm(deleted)]);
  await description(page).fill('On slate');
  await expect
    .poll(() => storedDraft(page), eventually)
    .toMatchObject({
      prompt: 'On slate',
      photos: expect.arrayContaining(['changed.jpg', 'deleted.jpg']),
    });
  await page.reload();
  await expect.poll(() => removeButtons(page).count(), eventually).toBe(2);
  await expect.poll(() => description(page).inputValue(), eventually).toBe('On slate');
  await generate(page);
  await page.getByRole('link', { name: 'Download' }).waitFor();
  const [view] = await seller.generations();
  expect(view!.photos).toHaveLength(2);
  expect(problems).toEqual([]);
});

test('a cell with its picture is pasted as text; a picture alone is a photo, once', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  // The product has a name once it has a photo.
  await picker(page).setInputFiles(mug);
  await removeButtons(page).first().waitFor();
  await copy(page, { text: 'Mug, 350 ml', picture: true });
  for (const field of [description(page), page.getByLabel('Product name')]) {
    await field.fill('');
    await paste(page);
    await expect.poll(() => field.inputValue(), eventually).toBe('Mug, 350 ml');
  }
  await copy(page, { picture: true });
  await description(page).focus();
  await paste(page);
  await removeButtons(page).nth(1).waitFor();
  await paste(page);
  await expect.poll(() => removeButtons(page).count(), eventually).toBe(3);
  expect(await description(page).inputValue()).toBe('Mug, 350 ml');
  expect(problems).toEqual([]);
});

test('number fields take digits of other scripts, and the wheel over them changes nothing', async ({
  finishedImage,
}) => {
  const { page, problems } = await finishedImage();
  await openForm(page);
  await openOptions(page);
  await page.getByLabel('Use a seed').click();
  const seed = page.getByLabel('Seed', { exact: true });
  await seed.fill('\u0661\u0662\u0663');
  expect(await seed.inputValue()).toBe('123');
  await seed.hover();
  await page.mouse.wheel(0, 300);
  await openEditor(page);
  const width = page.getByLabel('Width');
  await width.fill('\uff15\uff11\uff12');
  await page.keyboard.press('Enter');
  await expect.poll(() => width.inputValue(), eventually).toBe('512');
  await width.hover();
  await page.mouse.wheel(0, 300);
  expect(await width.inputValue()).toBe('512');
  await page.keyboard.press('Escape');
  await press(page, 'Discard');
  expect(await seed.inputValue()).toBe('123');
  expect(problems).toEqual([]);
});

test('text may be dropped into the description; a link beside it is refused with a sentence', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  // WebDriver BiDi moves what is dragged, but Firefox gets no drop from it. These are the types that it gives to a dragged link.
  const drop = (place: string, types: string[], data: string) =>
    page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      for (const type of ${JSON.stringify(types)}) dataTransfer.setData(type, ${JSON.stringify(data)});
      const notPrevented = ['dragenter', 'dragover', 'drop'].map((type) =>
        document.querySelector(${JSON.stringify(place)}).dispatchEvent(
          new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }),
        ),
      );
      return notPrevented.at(-1);
    })()`);
  expect(await drop('textarea', ['text/plain', 'text/html'], 'warm light')).toBe(true);
  const link = ['text/x-moz-url', 'text/uri-list', 'text/html', 'text/plain'];
  expect(await drop('form', link, 'https://shop.example/mug.jpg')).toBe(false);
  await see(page, "An address can't be added.");
  expect(problems).toEqual([]);
});
