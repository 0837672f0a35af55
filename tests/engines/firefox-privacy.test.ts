/** Firefox with the settings that people choose for their privacy. */
import type { Page } from 'playwright-core';
import sharp, { type Sharp } from 'sharp';
import { expect } from 'vitest';
import { codeOf, turnOnTwoFactor } from '#tests/support/account.ts';
import {
  fillInSignUp,
  heading,
  mailedLink,
  password,
  signIn,
  trySignIn,
} from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { currentVersion, markAnArea, send, storedArea } from '#tests/support/brush-page.ts';
import { button, downloadedSize, openEditor, openTab, save } from '#tests/support/editor-page.ts';
import { firefoxWith } from '#tests/support/firefox.ts';
import { eventually } from '#tests/support/harness.ts';
import { press, see } from '#tests/support/page-steps.ts';
import { testPassword } from '#tests/support/seller.ts';
import { description, generate, mug, openStudio, picker, storedDraft } from '#tests/support/studio-page.ts';
import { newAddress } from '#tests/support/visitor.ts';

const resisting = testWithStackAndBrowser({}, firefoxWith({ 'privacy.resistFingerprinting': true }));
const privately = testWithStackAndBrowser({}, firefoxWith({ 'browser.privatebrowsing.autostart': true }));
const withoutCookies = testWithStackAndBrowser({}, firefoxWith({ 'network.cookie.cookieBehavior': 2 }));

const blocked = /^Your browser blocks cookies, so you can't be signed in\./;

/** Chooses a photo, describes the scene, and makes the image. */
async function makeImage(page: Page): Promise<void> {
  await picker(page).setInputFiles(mug);
  await page.getByRole('button', { name: 'Remove mug-1.jpg' }).waitFor();
  await description(page).fill('On oak');
  await see(page, 'Ready to Generate');
  await generate(page);
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
}

/** How many values of a black canvas come back as something else. */
const wrongValues = `(() => {
  const context = document.createElement('canvas').getContext('2d');
  context.fillRect(0, 0, 8, 8);
  const { data } = context.getImageData(0, 0, 8, 8);
  return data.filter((value, index) => value !== (index % 4 === 3 ? 255 : 0)).length;
})()`;

resisting(
  'with resistFingerprinting, a photo is taken without a warning, and the editor says why it shows no picture',
  async ({ stack, openWindow }) => {
    const { email } = await stack.seller();
    const { page, problems } = await openWindow();
    await signIn(stack, page, email);
    expect(await page.evaluate(wrongValues)).toBeGreaterThan(100);
    await makeImage(page);
    expect(await page.getByText(/damaged|gives a better image/).count()).toBe(0);
    expect(await downloadedSize(page, 'Download')).toEqual([1_024, 1_024]);
    await openEditor(page);
    await see(page, "Your browser's privacy settings keep us from showing the image here.");
    // Turning needs no picture.
    await openTab(page, 'Turn');
    await button(page, 'Right').click();
    await save(page);
    await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
    expect(problems).toEqual([]);
  },
);

resisting(
  'with resistFingerprinting, an image changes where it was marked',
  async ({ stack, finishedImage }) => {
    const { page, id, problems } = await finishedImage({ plan: 'enterprise' });
    await markAnArea(page);
    await send(page).click();
    await currentVersion(page, 'Version 2: A red wall').waitFor();
    await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
    const area = await storedArea(stack, id);
    // A line over a quarter of the image: neither all of it nor specks.
    const marked = area.filter((value) => value > 0).length / area.length;
    expect(marked).toBeGreaterThan(0.02);
    expect(marked).toBeLessThan(0.06);
    expect(problems).toEqual([]);
  },
);

resisting(
  'with resistFingerprinting, a large photo is sent as it is: scaled, it would be noise',
  async ({ stack, openWindow }) => {
    const { page } = await openWindow();
    const seller = await openStudio(stack, page);
    // Grain makes it large. Where pixels are honest, such a photo is scaled before it is sent.
    const side = 3_000;
    const noise = { type: 'gaussian', mean: 128, sigma: 25 } as const;
    const grain = sharp({
      create: { width: side, height: side, channels: 3, background: 'grey', noise },
    });
    const photo = await sharp(mug)
      .resize(side, side)
      .composite([{ input: await grain.png().toBuffer(), blend: 'overlay' }])
      .jpeg({ quality: 100 })
      .toBuffer();
    expect(photo.length).toBeGreaterThan(6 * 1024 * 1024);
    await picker(page).setInputFiles({ name: 'large.jpg', mimeType: 'image/jpeg', buffer: photo });
    await page.getByRole('button', { name: 'Remove large.jpg' }).waitFor();
    await description(page).fill('On oak');
    await generate(page);
    await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
    const [view] = await seller.generations();
    const reply = await fetch(stack.url + view!.photos[0]!.url, {
      headers: { authorization: `Bearer ${seller.token}` },
    });
    const grey = (image: Sharp) => image.greyscale().resize(16, 16, { fit: 'fill' }).raw().toBuffer();
    const [sent, stored] = [
      await grey(sharp(photo)),
      await grey(sharp(Buffer.from(await reply.arrayBuffer()))),
    ];
    const differences = sent.map((value, index) => Math.abs(value - stored[index]!));
    expect(Math.max(...differences)).toBeLessThan(8);
  },
);

privately(
  'in a private window, a seller makes an image; the form comes back after a reload',
  async ({ stack, openWindow }) => {
    const { email } = await stack.seller();
    const { page, problems } = await openWindow();
    await signIn(stack, page, email);
    // Only private windows refuse this.
    expect(await page.evaluate('navigator.storage.getDirectory().catch(({ name }) => name)')).toBe(
      'SecurityError',
    );
    await picker(page).setInputFiles(mug);
    await description(page).fill('On slate');
    await expect
      .poll(() => storedDraft(page), eventually)
      .toMatchObject({ prompt: 'On slate', photos: ['mug-1.jpg'] });
    await page.reload();
    await expect.poll(() => description(page).inputValue(), eventually).toBe('On slate');
    await page.getByRole('button', { name: 'Remove mug-1.jpg' }).click();
    await makeImage(page);
    await press(page, /account of/i);
    // What is still being loaded when the session ends is refused.
    expect(problems).toEqual([]);
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await see(page, 'You are signed out.');
  },
);

withoutCookies('where cookies are blocked, each way to sign in says so', async ({ stack, openWindow }) => {
  const { page, problems } = await openWindow();
  const seller = await stack.seller();
  const { secret } = await turnOnTwoFactor(seller);
  await trySignIn(stack, page, seller.email);
  await page.getByLabel('Code').fill(codeOf(secret, 1));
  await press(page, 'Sign In');
  await see(page, blocked);

  const { email } = await stack.seller();
  await trySignIn(stack, page, email);
  await see(page, blocked);
  expect(new URL(page.url()).pathname).toBe('/login');

  const newSeller = newAddress();
  await fillInSignUp(stack, page, newSeller);
  await heading(page, 'Check your email');
  await page.goto(await mailedLink(stack, 'verifyEmail', newSeller, 'Confirm your email'));
  await press(page, 'Confirm and open your studio');
  await password(page).fill(testPassword);
  await press(page, 'Confirm and open your studio');
  await see(page, blocked);

  await page.goto(`${stack.url}/forgot-password`);
  await page.getByLabel('Email').fill(email);
  await page.keyboard.press('Enter');
  await heading(page, 'Check your email');
  await page.goto(await mailedLink(stack, 'resetPassword', email, 'password'));
  await password(page, 'New password').fill('Another-password-1');
  await password(page, 'Confirm new password').fill('Another-password-1');
  await press(page, 'Set password');
  await see(page, 'Your new password is set. Please sign in with it.');
  await page.getByLabel('Email').fill(email);
  await password(page).fill('Another-password-1');
  await press(page, 'Sign In');
  await see(page, blocked);
  expect(problems).toEqual([]);
});
