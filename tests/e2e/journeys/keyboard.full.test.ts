/** Somebody who makes ten images a day without touching the mouse, and somebody who hears the page. */
import { expect } from 'vitest';
import { openAs } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { copy, paste } from '#tests/support/clipboard.ts';
import { eventually } from '#tests/support/harness.ts';
import { keyboardPerson, lostFocus } from '#tests/support/keyboard.ts';
import { see } from '#tests/support/page-steps.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import { testPassword } from '#tests/support/seller.ts';
import { cup, description, removeButtons } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

test('ten images of a day with the keyboard alone: pasted, again, changed, as a set, and exported as last time', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow({ viewport: { width: 1_440, height: 900 } });
  const person = await keyboardPerson(page);
  const { press, type, tabTo, expectFocus } = person;
  const seller = await stack.seller();
  await openAs(stack, page, seller, '/dashboard');
  await description(page).waitFor();
  const download = page.getByRole('link', { name: 'Download', exact: true });

  // A photo from the clipboard, and a scene by its name.
  await copy(page, { picture: true });
  await paste(page);
  await removeButtons(page).waitFor();
  await see(page, 'One thing missing: a scene');
  await press('/');
  await expectFocus(/^searchbox "Search scenes"/);
  await type('oak');
  await tabTo(/^button "Oak table/);
  await press('Enter');
  await expectFocus(/^button "Oak table.*pressed/);
  await press('Control+Enter');
  await download.waitFor();
  await see(page, '99 of 100 left');

  // The same again, three times: what was sent is still in the form.
  const before = person.keys();
  for (const left of [98, 97, 96]) {
    const shown = await download.getAttribute('href');
    await press('Control+Enter');
    await expect.poll(() => download.getAttribute('href').catch(() => shown), eventually).not.toBe(shown);
    await see(page, `${left} of 100 left`);
  }
  expect(person.keys() - before).toBe(3);
  expect(await person.focused()).not.toMatch(lostFocus);

  // A change in words makes a version beside the first one.
  await tabTo(/^button "Change"/);
  await press('Enter');
  await expectFocus(/^textbox "Change something"/);
  await type('make the wall light blue');
  await press('Enter');
  await page
    .getByRole('button', { name: /^Version 2: / })
    .and(page.locator('[aria-current=true]'))
    .waitFor();
  await download.waitFor();
  await see(page, '95 of 100 left');

  // The first export is chosen among all formats.
  await tabTo(/^button "Other formats"/);
  await press('Enter');
  await expectFocus(/^menuitem "PNG/);
  await press('End');
  await expectFocus(/^menuitem "Export…/);
  await press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByLabel('Find a format').and(page.locator(':focus')).waitFor();
  await type('etsy');
  await tabTo(/^checkbox "Etsy"/);
  await press('Space');
  await dialog.getByText('Etsy').first().waitFor();
  await tabTo(/^button "Download 2 files/);
  const [zip] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
  expect(zip.suggestedFilename()).toMatch(/\.zip$/);
  await press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expectFocus(/^button "Other formats"/);

  // Every further one is among those used last.
  await press('Enter');
  await expectFocus(/^menuitem "PNG/);
  for (const item of ['Amazon main image', 'Etsy']) {
    await press('ArrowDown');
    await expectFocus(new RegExp(`^menuitem "${item}"`));
  }
  const [file] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
  expect(file.suggestedFilename()).toMatch(/\.jpg$/);

  // Four at once, gone through with the arrow keys, and one more.
  await tabTo(/^button "Words and options"/);
  await press('Enter');
  await page.getByRole('button', { name: 'Close' }).waitFor();
  await tabTo(/^radio "1"/);
  for (const count of ['2', '3', '4']) {
    await press('ArrowRight');
    await expectFocus(new RegExp(`^radio "${count}" checked`));
  }
  await press('Control+Enter');
  await see(page, '4 of 4 images ready');
  await see(page, '91 of 100 left');
  await tabTo(/^button "Show image 1 of 4"/);
  await press('Enter');
  const navigation = page.getByRole('navigation', { name: 'Images of this set' });
  await navigation.getByText('Image 1 of 4').waitFor();
  for (const place of [2, 3, 4]) {
    await press('ArrowRight');
    await navigation.getByText(`Image ${place} of 4`).waitFor();
  }
  await expectFocus(/^heading "Your product image"/);
  await tabTo(/^button "More"/);
  await press('Enter');
  await expectFocus(/^menuitem "Run again with the same settings"/);
  await press('Enter');
  await see(page, '90 of 100 left');
  await download.waitFor();
  const views = await seller.generations();
  expect(views.filter(({ state }) => state === 'succeeded')).toHaveLength(10);
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('somebody who hears the page signs in, makes an image, exports it, meets a failure and deletes it', async ({
  stack,
  openWindow,
}) => {
  const { email } = await stack.seller();
  const { page, problems } = await openWindow();
  const person = await keyboardPerson(page);
  const { press, type, tabTo, expectFocus, hear, focused } = person;
  await page.goto(`${stack.url}/login`);
  await tabTo(/^textbox "Email"/);
  await type(email);
  await tabTo(/^textbox "Password"/);
  await type('Wrong-Horse-7');
  await press('Enter');
  await hear('Invalid email or password.');
  await expectFocus(/^textbox "Password"/);
  await press('ControlOrMeta+A');
  await type(testPassword);
  await press('Enter');
  await page.waitForURL('**/dashboard');
  // A new page is told by its heading.
  await expectFocus(/^heading /);
  expect(await page.title()).toMatch(/^Studio/);

  await page.evaluate('document.activeElement.blur(); document.body.focus()');
  await tabTo(/^link "Skip to content"/);
  await press('Enter');
  await expectFocus(/^main/);
  const chosen = page.waitForEvent('filechooser');
  await tabTo(/^button "Upload product images"/);
  await press('Enter');
  await (await chosen).setFiles(cup);
  await expectFocus(/^heading "Ready when you are"/);
  await tabTo(/^button "Generate Image"/);
  await press('Enter');
  await hear('Please enter a scene description');
  await expectFocus(/^textbox "Scene description" invalid/);
  await type('On a wooden table');

  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  await press('Control+Enter');
  await hear('Uploading your photos');
  await expectFocus(/^heading "Creating your product visualization\.\.\."/);
  await stack.images.waitFor({ waiting: 1 });
  await hear('Sending your photos to the image service');
  await stack.images.release();
  await hear('Your product image is ready.');
  // The heading that had the focus says the product now.
  await expectFocus(/^heading ".*Coffee cup/);
  const passed = await tabTo(/^button "Other formats"/);
  expect(passed.at(-1)).toMatch(/^link "Download"/);
  await press('Enter');
  await expectFocus(/^menuitem "PNG, 1024 × 1024/);
  await press('Escape');
  await expectFocus(/^button "Other formats"/);
  await press('Enter');
  await expectFocus(/^menuitem "PNG/);
  await press('End');
  await expectFocus(/^menuitem "Export…/);
  await press('Enter');
  await page.getByRole('dialog', { name: 'Export' }).waitFor();
  expect(await focused()).not.toMatch(lostFocus);
  await press('Escape');
  await expectFocus(/^button "Other formats"/);
  for (const name of ['Edit', 'Compare', 'Change', 'More', 'Clear'])
    await tabTo(new RegExp(`^button "${name}"`));

  await stack.images.set({ behaviours: [contentRefused] });
  await press('Control+Enter');
  await expectFocus(/^heading "Creating/);
  await hear(/declined by its content policy.*No image was used\./);
  await expectFocus(/^heading "We couldn't create this image"/);
  await tabTo(/^button "Delete"/);
  await press('Enter');
  await hear(/deleted|trash/i);
  await expect.poll(focused, eventually).not.toMatch(lostFocus);

  // Earlier images lead back to the first one.
  await tabTo(/^button ".*Coffee cup/);
  await press('Enter');
  await expectFocus(/^heading ".*Coffee cup/);
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
  expect(problems.filter((problem) => !problem.includes('status of 401'))).toEqual([]);
});
