/** What is in the studio's form is not lost on the way, and nobody else sees it. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openAs, openDashboard } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { testPassword } from '#tests/support/seller.ts';
import {
  cup,
  description,
  expectRestored,
  fillInStudio,
  generate,
  holdUploads,
  openForm,
  openStudio,
  picker,
  removeButtons,
  storedDraft,
  untilStored,
} from '#tests/support/studio-page.ts';

/** Without workers: a generation stays in the queue. */
const test = testWithStackAndBrowser({ workers: 0 });

const scene = 'On slate, evening light';
const productName = (page: Page) => page.getByLabel('Product name');

test('photos, scene and names survive a reload and a crash of the tab; an automatic name follows the photo, a typed one stays', async ({
  filledStudio,
}) => {
  const { page } = await filledStudio(scene);
  await expect.poll(() => productName(page).inputValue()).toBe('Coffee cup');
  await untilStored(page, { prompt: scene });
  await page.reload();
  await expectRestored(page, scene);
  // Also after the reload the name is automatic.
  await removeButtons(page).click();
  await expect.poll(() => storedDraft(page)).toMatchObject({ productName: '', photos: [] });
  await picker(page).setInputFiles({
    name: 'red_vase.png',
    mimeType: 'image/png',
    buffer: await readFile(cup),
  });
  await expect.poll(() => productName(page).inputValue()).toBe('Red vase');
  await productName(page).fill('My vase');
  await removeButtons(page).click();
  await picker(page).setInputFiles(cup);
  await page.getByRole('button', { name: 'Remove coffee-cup.png' }).waitFor();
  expect(await productName(page).inputValue()).toBe('My vase');
  await untilStored(page, { productName: 'My vase', nameTyped: true });

  const reopened = await crashAndReopen(page);
  await expectRestored(reopened, scene);
  expect(await productName(reopened).inputValue()).toBe('My vase');
  await removeButtons(reopened).click();
  await expect.poll(() => storedDraft(reopened)).toMatchObject({ productName: 'My vase', photos: [] });
});

test('words that are still being written are there again when the page is left, or ended while it is hidden', async ({
  filledStudio,
}) => {
  const { page } = await filledStudio(scene);
  await untilStored(page, { prompt: scene });
  const write = async (words: string) => {
    await page.evaluate(neverWrite);
    await description(page).fill(words);
    await expect.poll(() => page.evaluate('writes'), eventually).toBe(1);
  };
  await write('On oak');
  await page.reload();
  await expectRestored(page, 'On oak');
  await write('On sand');
  // As when a phone shows another app.
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
  await expectRestored(await crashAndReopen(page), 'On sand');
});

test('after the session expired the same seller finds the form again; another seller does not, and nothing of it stays', async ({
  stack,
  filledStudio,
}) => {
  const { page, seller } = await filledStudio(scene);
  await untilStored(page, { prompt: scene });
  const expire = async () => {
    await page.context().clearCookies();
    await page.reload();
    await page.waitForURL('**/login');
  };
  await expire();
  await signInAs(page, seller.email);
  await expectRestored(page, scene);

  await expire();
  expect(await storedDraft(page)).toMatchObject({ prompt: scene, photos: ['coffee-cup.png'] });
  await signInAs(page, (await stack.seller()).email);
  await description(page).waitFor();
  await expect.poll(() => storedDraft(page), eventually).toBeNull();
  expect(await description(page).inputValue()).toBe('');
  expect(await removeButtons(page).count()).toBe(0);
});

async function signInAs(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(testPassword);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/dashboard');
}

test('signing out removes the draft, and another window that is open does not bring it back', async ({
  stack,
  filledStudio,
}) => {
  const { page, seller } = await filledStudio(scene);
  await untilStored(page, { prompt: scene });
  const other = await page.context().newPage();
  // Without events, it does not learn of the sign-out.
  await other.routeWebSocket(/socket\.io/, () => {});
  await other.goto(page.url());
  await expectRestored(other, scene);
  await page.getByRole('button', { name: /account of/i }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await page.waitForURL('**/login');
  // What is typed before the other window learns of it is not saved, neither soon after nor when it is left.
  await description(other).fill('Too late');
  await other.reload();
  await other.waitForURL('**/login');
  expect(await storedDraft(page)).toBeNull();
  for (const window of [page, other]) {
    await openDashboard(stack, window, seller.email);
    expect(await description(window).inputValue()).toBe('');
    expect(await removeButtons(window).count()).toBe(0);
  }
});

test('a submitted form stays for the next image, also after a reload; what another window has written since stays as well', async ({
  filledStudio,
}) => {
  const { page } = await filledStudio(scene);
  await generate(page);
  const waiting = page.getByText(/^Number \d+ in the queue$/).first();
  await waiting.waitFor();
  await untilStored(page, { prompt: scene });
  await page.reload();
  await waiting.waitFor();
  await openForm(page);
  await expectRestored(page, scene);
  await page.getByRole('button', { name: 'Start another' }).click();
  await expectRestored(page, scene);

  const other = await page.context().newPage();
  await other.goto(page.url());
  await openForm(other);
  await expectRestored(other, scene);
  await page.route('**/api/generations', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await untilStored(other, { prompt: 'On sand' });
    await route.continue();
  });
  await generate(page);
  await description(other).fill('On sand');
  await waiting.waitFor();
  await untilStored(page, { prompt: 'On sand' });
});

test('a form that was being sent when the tab crashed is sent again as the same request', async ({
  filledStudio,
}) => {
  const { page } = await filledStudio(scene);
  await page.evaluate(recordOrder);
  const uploads = await holdUploads(page);
  await generate(page);
  await uploads.next();
  // Sent before it is recorded, a crash would make its image twice.
  expect(await page.evaluate('order')).toEqual(['recorded', 'sent']);
  const reopened = await crashAndReopen(page);
  await expectRestored(reopened, scene);
  const again = await holdUploads(reopened);
  await generate(reopened);
  await again.next();
  expect(again.keys).toEqual(uploads.keys);
});

test('where localStorage is full or cleared meanwhile, the draft is kept, and the home page knows the seller', async ({
  stack,
  filledStudio,
}) => {
  const { page } = await filledStudio(scene);
  await page.evaluate(`{
    localStorage.clear();
    Storage.prototype.setItem = () => { throw new DOMException('Full', 'QuotaExceededError'); };
  }`);
  await description(page).fill('On oak');
  await untilStored(page, { prompt: 'On oak' });
  await page.reload();
  await expectRestored(page, 'On oak');
  await page.evaluate('localStorage.clear()');
  await page.goto(`${stack.url}/`);
  await page.getByRole('banner').getByRole('link', { name: 'Open your studio' }).waitFor();
});

test('a photo that another window removes while the next one is being read is stored again', async ({
  filledStudio,
}) => {
  const { page } = await filledStudio(scene);
  await untilStored(page, { prompt: scene });
  await page.evaluate(removeWhileReading);
  await picker(page).setInputFiles({ name: 'red.png', mimeType: 'image/png', buffer: await readFile(cup) });
  await expect.poll(() => storedDraft(page), eventually).toMatchObject({ photoIds: { length: 2 } });
  const { photos } = (await storedDraft(page)) as { photos: string[] };
  expect(photos.toSorted()).toEqual(['coffee-cup.png', 'red.png']);
  expect(await page.evaluate('removed')).toBe(1);
});

test('a checkout that is left comes back to the studio with everything in place', async ({
  filledStudio,
}) => {
  const { page, problems } = await filledStudio(scene, { paid: false });
  await page.getByRole('button', { name: 'Subscribe Now' }).click();
  await page.waitForURL('**/c/pay/**');
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByText('Checkout cancelled. Nothing was charged.').waitFor();
  await expectRestored(page, scene);
  expect(new URL(page.url()).search).toBe('');
  expect(problems).toEqual([]);
});

test('where the browser blocks storage, the form lasts until the window is closed', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await page.addInitScript('indexedDB.open = () => { throw new DOMException("Blocked", "SecurityError"); }');
  await openStudio(stack, page);
  await fillInStudio(page, scene);
  await page.getByRole('button', { name: /account of/i }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await page.getByRole('link', { name: 'Studio' }).click();
  await expectRestored(page, scene);
  expect(problems).toEqual([]);
});

test('where the browser never answers, a table and an image can be made all the same', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await page.addInitScript('indexedDB.open = () => ({});');
  await openAs(stack, page, await stack.seller(), '/batch/new');
  await page.getByText('Choose a table').waitFor();
  await page.goto(`${stack.url}/dashboard`);
  await fillInStudio(page, scene);
  await generate(page);
  await page
    .getByText(/^Number \d+ in the queue$/)
    .first()
    .waitFor();
  expect(problems).toEqual([]);
});

test('where the browser has no room for photos, the texts are kept and the seller is told', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await page.addInitScript(`{
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (value, key) {
      if (value?.bytes) throw new DOMException('No room', 'QuotaExceededError');
      return put.call(this, value, key);
    };
  }`);
  await openStudio(stack, page);
  await fillInStudio(page, scene);
  await page.getByText('Your browser has no room left for your photos.').waitFor();
  await expect.poll(() => storedDraft(page), eventually).toMatchObject({ prompt: scene, photos: [] });
  await page.reload();
  await expect.poll(() => description(page).inputValue(), eventually).toBe(scene);
  expect(problems).toEqual([]);
});

/** Counts the writes of drafts, which do not come to their end. */
const neverWrite = `{
  globalThis.writes = 0;
  IDBObjectStore.prototype.getAllKeys = () => {
    writes += 1;
    return {};
  };
}`;

/** Removes the stored photos while the page reads the next one to store it, as another window may. */
const removeWhileReading = `{
  globalThis.removed = 0;
  const { arrayBuffer } = Blob.prototype;
  const store = IDBObjectStore.prototype;
  let isStoring = false;
  const { getAllKeys } = store;
  store.getAllKeys = function (...given) {
    isStoring = true;
    return getAllKeys.apply(this, given);
  };
  Blob.prototype.arrayBuffer = async function () {
    if (isStoring && removed === 0) {
      removed = 1;
      await new Promise((resolve) => {
        indexedDB.open('packshot').onsuccess = ({ target: { result: database } }) => {
          const draft = database.transaction('draft', 'readwrite').objectStore('draft');
          draft.delete(IDBKeyRange.bound('photo:', 'photo;'));
          draft.transaction.oncomplete = () => resolve(database.close());
        };
      });
    }
    return arrayBuffer.call(this);
  };
}`;

/** Writes down in the page when a form is recorded and when it is sent. */
const recordOrder = `{
  globalThis.order = [];
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (...given) {
    const begun = transaction.apply(this, given);
    // The first to hear of it, before the page itself.
    begun.addEventListener('complete', () => begun.records && order.push('recorded'));
    return begun;
  };
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (value, key) {
    if (key === 'sent-form') this.transaction.records = true;
    return put.call(this, value, key);
  };
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function (body) {
    if (body instanceof FormData) order.push('sent');
    return send.call(this, body);
  };
}`;

/** Crashes the tab. Whatever it was sending is gone: closing it would send a held upload on. @returns a new tab there */
async function crashAndReopen(page: Page): Promise<Page> {
  const crashed = page.waitForEvent('crash');
  const devtools = await page.context().newCDPSession(page);
  devtools.send('Page.crash').catch(() => {});
  await crashed;
  const reopened = await page.context().newPage();
  await reopened.goto(page.url());
  return reopened;
}
