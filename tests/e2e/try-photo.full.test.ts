/** A visitor's own photo on the landing page, without an account, and with one in the studio. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { limits, paths, sceneLibrary } from '#contract';
import { heading, mailedLink, openDashboard, password } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { flatJpeg, interlacedPng } from '#tests/support/large-photos.ts';
import { limitMs } from '#tests/support/machine.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { testPassword } from '#tests/support/seller.ts';
import { cup, description, mug, storedDraft } from '#tests/support/studio-page.ts';
import { newAddress } from '#tests/support/visitor.ts';

const test = testWithStackAndBrowser({ workers: 1, settings: { PHOTO_CHECKS: 'true' } });

const photoInput = (page: Page) => page.getByLabel('Choose a photo');
const region = (page: Page) => page.getByRole('region', { name: 'Try it without an account' });
const choice = (page: Page, scene: string) => region(page).getByRole('radio', { name: `${scene}, sketch` });
const goOn = (page: Page) => region(page).getByRole('link', { name: /^Sign up (to|with)/ });
const kitchen = sceneLibrary.find(({ id }) => id === 'modern-kitchen')!;
const sketchRequests = `**${paths.sketches}`;
/** Beside other tests the model takes as long as it takes. */
const patiently = { ...eventually, timeout: limitMs(100_000) };
/** Waits until the sketches of a photo are shown. */
const drawn = (page: Page) => region(page).getByText('Our server has deleted your photo.').waitFor(patiently);
/** Waits until the visitor reads this. */
const told = (page: Page, message: RegExp) =>
  expect.poll(() => region(page).getByRole('alert').textContent(), patiently).toMatch(message);

/** The photo of a visitor that the browser keeps: its name, or null. */
const kept = (page: Page) =>
  page.evaluate<string | null>(`new Promise(async (resolve, reject) => {
    // Opening it would create it, without its store.
    const databases = await indexedDB.databases();
    if (!databases.some(({ name }) => name === 'packshot-visitor')) return resolve(null);
    const opening = indexedDB.open('packshot-visitor');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const reading = opening.result.transaction('photo').objectStore('photo').get('photo');
      reading.onsuccess = () => { opening.result.close(); resolve(reading.result?.name ?? null); };
    };
  })`);

/** The buttons that remove photos; one that removes the scene may be beside them. */
const photoButtons = (page: Page) => page.getByRole('button', { name: /^Remove .*\.(jpg|png|heic)$/ });

/** Fills in the sign-up page that is open. */
async function signUpHere(page: Page, email: string): Promise<void> {
  await page.getByLabel('Full name').fill('Ana Müller');
  await page.getByLabel('Email').fill(email);
  await password(page).fill(testPassword);
  await password(page, 'Confirm password').fill(testPassword);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Create Secure Account' }).click();
  await heading(page, 'Check your email');
}

for (const [name, options] of [
  ['a desktop, by keyboard', {}],
  ['a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
] as const) {
  test(`a photo becomes sketches on ${name}, and is in the studio after sign-up`, async ({
    stack,
    openWindow,
  }) => {
    const { page, problems } = await openWindow(options);
    const isPhone = 'isMobile' in options;
    await page.goto(stack.url);
    await photoInput(page).setInputFiles(mug);
    await drawn(page);
    expect(await choice(page, 'Summer terrace').isChecked()).toBe(true);
    if (isPhone) await region(page).getByText('Modern kitchen').tap();
    else {
      await choice(page, 'Summer terrace').focus();
      await page.keyboard.press('ArrowRight');
    }
    expect(await choice(page, 'Modern kitchen').isChecked()).toBe(true);
    expect(await layoutProblems(page, 'sketches')).toEqual([]);
    // Whoever only looks leaves nothing behind.
    expect(await kept(page)).toBeNull();
    if (isPhone) await goOn(page).tap();
    else {
      await goOn(page).focus();
      await page.keyboard.press('Enter');
    }
    await page.waitForURL('**/signup?photo=kept');
    await page.reload();
    await page.getByText('Your photo and scene wait in this browser').waitFor();
    expect(await kept(page)).toBe('mug-1.jpg');

    const email = newAddress();
    await signUpHere(page, email);
    await page.getByText('in this browser, where your photo is').waitFor();
    // As mail programs do: in a new tab. The other one goes on by itself.
    const tab = await page.context().newPage();
    await tab.goto(await mailedLink(stack, 'verifyEmail', email, 'Confirm your email'));
    await tab.getByRole('button', { name: 'Confirm and open your studio' }).click();
    await tab.waitForURL('**/dashboard');
    for (const studio of [tab, page]) {
      if (studio === page) await studio.goto(`${stack.url}/dashboard`);
      await studio.getByRole('button', { name: 'Remove mug-1.jpg' }).first().waitFor(eventually);
      await expect.poll(() => description(studio).inputValue(), eventually).toBe(kitchen.description);
      await expect.poll(() => kept(studio), eventually).toBeNull();
      // From now on it is the seller's draft.
      await expect
        .poll(() => storedDraft(studio), eventually)
        .toMatchObject({ prompt: kitchen.description, productName: 'Mug 1', photos: ['mug-1.jpg'] });
      await studio.reload();
      await studio.getByRole('button', { name: 'Remove mug-1.jpg' }).first().waitFor(eventually);
      expect(await photoButtons(studio).count()).toBe(1);
      expect(await studio.getByText('You tried a photo').count()).toBe(0);
    }
    expect(problems).toEqual([]);
    // All of it without the image provider.
    expect((await stack.images.state()).calls).toEqual([]);
  });
}

test('wrong files say what is wrong, with their name, and the next photo works', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow();
  await page.goto(stack.url);
  const give = (name: string, buffer: Buffer) =>
    photoInput(page).setInputFiles({ name, mimeType: 'image/png', buffer });
  const refused = async (name: string, message: RegExp) => {
    await told(page, message);
    expect(await goOn(page).count(), name).toBe(0);
    expect(await layoutProblems(page, name, '#try')).toEqual([]);
  };
  for (const [name, content, message] of [
    ['note.png', Buffer.from('a text file'), /note\.png.*is not a photo/],
    ['empty.png', Buffer.alloc(0), /empty\.png.*is empty/],
    ['drawing.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /drawing\.png.*is not a photo/],
    ['torn.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /torn\.png.*damaged/],
    ['../../bomb.png', interlacedPng(30_000, 30_000), /bomb\.png.*(damaged|megapixels)/],
    ['x'.repeat(10_000), Buffer.from('%PDF-1.7'), /x…”? is not a photo/],
    ['שלום.png', Buffer.from('GIF89a'), /\u2068שלום\.png\u2069” is not a photo/],
  ] as const) {
    await give(name, content);
    await refused(name, message);
  }
  // A file of the disk: the browser would be sent its bytes as text, which takes long.
  const heavy = join(await newFolder(), 'heavy.png');
  await writeFile(heavy, Buffer.alloc(limits.photoFileBytes + 1));
  await photoInput(page).setInputFiles(heavy);
  await refused('heavy.png', /heavy\.png.*larger than/);
  // The bytes decide: it is a JPEG.
  await give('white.png', flatJpeg(640, 640));
  await told(page, /we can't separate from its background/);
  expect(await goOn(page).textContent()).toBe('Sign up with this photo');
  // What this browser cannot open: the studio's server can.
  await photoInput(page).setInputFiles(join(import.meta.dirname, '../support/heic/colours-srgb.heic'));
  await told(page, /can't open this kind of photo/);
  await photoInput(page).setInputFiles(cup);
  await drawn(page);
  expect(await region(page).getByRole('alert').count()).toBe(0);
});

test('a photo that this browser cannot open is in the studio after sign-up, without a scene', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow();
  await page.goto(stack.url);
  await photoInput(page).setInputFiles(join(import.meta.dirname, '../support/heic/colours-srgb.heic'));
  await goOn(page).click();
  await page.waitForURL('**/signup?photo=kept');
  const { email } = await stack.seller();
  await openDashboard(stack, page, email);
  await page.getByRole('button', { name: 'Remove colours-srgb.heic' }).first().waitFor(eventually);
  expect(await description(page).inputValue()).toBe('');
});

test('of two photos the last one counts, also when it is the same one, and a double click goes on once', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await page.goto(stack.url);
  const asked = Promise.withResolvers<void>();
  const stopped = page.waitForEvent('requestfailed', (request) => request.url().endsWith(paths.sketches));
  await page.route(sketchRequests, () => asked.resolve(), { times: 1 });
  await photoInput(page).setInputFiles(mug);
  await asked.promise;
  await region(page).getByText('Cutting out your product…').waitFor();
  // The first one is never answered.
  await photoInput(page).setInputFiles(cup);
  await stopped;
  await drawn(page);
  const [again] = await Promise.all([
    page.waitForResponse((reply) => reply.url().endsWith(paths.sketches)),
    photoInput(page).setInputFiles(cup),
  ]);
  expect(again.status()).toBe(200);
  await drawn(page);
  await goOn(page).dblclick();
  await page.waitForURL('**/signup?photo=kept');
  expect(await kept(page)).toBe('coffee-cup.png');
  expect(problems).toEqual([]);
});

test('without a connection the visitor is told so, and goes on with the same photo', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow();
  await page.goto(stack.url, { waitUntil: 'networkidle' });
  const tryAgain = region(page).getByRole('button', { name: 'Try again' });
  // Before its code was loaded.
  await page.context().setOffline(true);
  await photoInput(page).setInputFiles(mug);
  await told(page, /We couldn't reach Packshot/);
  await page.context().setOffline(false);
  await tryAgain.click();
  await drawn(page);
  // And with its code.
  await page.context().setOffline(true);
  await photoInput(page).setInputFiles(cup);
  await told(page, /We couldn't reach Packshot/);
  expect(await layoutProblems(page, 'offline', '#try')).toEqual([]);
  await page.context().setOffline(false);
  await tryAgain.click();
  await drawn(page);
});

test('too many photos of a network say when to try again, and lead on with the photo', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow();
  const { url } = await stack.startServer({ PHOTO_CHECKS: 'true', NETWORK_LIMIT_FACTOR: '0.02' });
  await fetch(url + paths.sketches, { method: 'POST' });
  await page.goto(url);
  await photoInput(page).setInputFiles(cup);
  await told(page, /Too many requests from your network\. Please try again in [1-6]?\d minutes\./);
  await goOn(page).click();
  await page.waitForURL('**/signup?photo=kept');
  expect(await kept(page)).toBe('coffee-cup.png');
});

test('a seller with photos in the studio is asked, and has the tried one in their place', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow();
  await page.route(sketchRequests, (route) =>
    route.fulfill({
      status: 503,
      json: { error: { code: 'UNAVAILABLE', message: 'Many people are trying this.', requestId: '1' } },
    }),
  );
  const { email } = await stack.seller();
  const tryAndSignIn = async (photo: string) => {
    await page.goto(stack.url);
    await photoInput(page).setInputFiles(photo);
    await told(page, /Many people are trying this\./);
    await goOn(page).click();
    await page.waitForURL('**/signup?photo=kept');
    await openDashboard(stack, page, email);
  };
  await tryAndSignIn(mug);
  await page.getByRole('button', { name: 'Remove mug-1.jpg' }).first().waitFor(eventually);
  await expect.poll(() => storedDraft(page), eventually).toMatchObject({ photos: ['mug-1.jpg'] });

  // The session has ended, and the same seller tries another one.
  await page.context().clearCookies();
  await tryAndSignIn(cup);
  await page.getByText('You tried a photo on our start page').waitFor(eventually);
  // It waits for an answer, also after a reload.
  await page.reload();
  await page.getByText('You tried a photo on our start page').waitFor(eventually);
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByRole('button', { name: 'Remove coffee-cup.png' }).first().waitFor(eventually);
  expect(await photoButtons(page).count()).toBe(1);
  await expect.poll(() => kept(page), eventually).toBeNull();
  await expect.poll(() => storedDraft(page), eventually).toMatchObject({ photos: ['coffee-cup.png'] });
});

test('an installation without it shows the sample products only', async ({ stack, openWindow }) => {
  const { page } = await openWindow();
  const { url } = await stack.startServer({ PHOTO_CHECKS: 'true', VISITOR_SKETCHES: 'false' });
  await page.goto(url);
  await page.getByRole('heading', { name: 'See it with a sample product' }).waitFor();
  await expect.poll(() => region(page).count(), eventually).toBe(0);
  expect(await photoInput(page).isVisible()).toBe(false);
  await page.goto(stack.url);
  await photoInput(page).waitFor();
});
