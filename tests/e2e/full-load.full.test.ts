/** Parts of the web app that cannot be had, because another release has replaced them, and what is said of a new release. */
import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { releaseHeader } from '#contract';
import { dialog, heading } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import {
  description,
  expectRestored,
  generate,
  holdUploads,
  openOptions,
  untilStored,
} from '#tests/support/studio-page.ts';

const scene = 'On slate, evening light';

/** `studio` is one with a filled-in form, for which everything is loaded that is loaded by itself. */
const test = testWithStackAndBrowser().extend('studio', async ({ filledStudio }) => {
  const { page, problems } = await filledStudio(scene);
  await untilStored(page, { prompt: scene });
  await page.waitForLoadState('networkidle');
  return { page, problems };
});
test.beforeEach(({ stack }) => stack.images.reset());

const gone = (route: Route) => route.fulfill({ status: 404, body: '{}', contentType: 'application/json' });
/** Counts the documents that a window loads. */
function countDocuments(page: Page): () => number {
  let documents = 0;
  page.on('request', (request) => {
    if (request.resourceType() === 'document') documents += 1;
  });
  return () => documents;
}

/** Answers every asset 404 until the next document is asked for: another release has replaced this one. */
async function replaceRelease(page: Page): Promise<() => number> {
  await page.route('**/assets/**', gone);
  const documents = countDocuments(page);
  await page.route(
    (url) => !url.pathname.startsWith('/assets/'),
    async (route) => {
      if (route.request().resourceType() === 'document') await page.unroute('**/assets/**', gone);
      await route.fallback();
    },
  );
  return documents;
}

interface Part {
  /** Before the release is gone: what leads to it. */
  prepare?: (page: Page) => Promise<void>;
  open: (page: Page) => Promise<void>;
  isThere: (page: Page) => Promise<void>;
}

const looks = (page: Page) => page.getByRole('button', { name: 'Looks', exact: true });

/** What is opened in the studio, and what is there when its code is. */
const parts: Record<string, Part> = {
  'a page': {
    open: (page) => page.getByRole('link', { name: 'Library' }).first().click(),
    isThere: (page) => heading(page, 'Library'),
  },
  'a public page': {
    prepare: (page) => page.getByRole('button', { name: 'Help' }).click(),
    open: (page) => dialog(page).getByRole('link', { name: 'Contact us' }).click(),
    isThere: (page) => page.getByRole('contentinfo').waitFor(),
  },
  'a popover': {
    open: (page) => page.getByRole('button', { name: 'Help' }).click(),
    isThere: (page) => dialog(page).waitFor(),
  },
  'a menu': {
    open: (page) => page.getByRole('button', { name: /account of/i }).click(),
    isThere: (page) => page.getByRole('menuitem', { name: 'Profile' }).waitFor(),
  },
  'a dialog': {
    prepare: async (page) => {
      await openOptions(page);
      await looks(page).waitFor();
    },
    open: async (page) => {
      if (!(await looks(page).isVisible())) await openOptions(page);
      await looks(page).click();
    },
    isThere: (page) => dialog(page).waitFor(),
  },
  'a section': {
    open: openOptions,
    isThere: (page) => page.getByLabel('What to avoid').waitFor(),
  },
};

for (const [name, { prepare, open, isThere }] of Object.entries(parts)) {
  test(`${name} whose release is gone leads once to a full load of its address, with the form kept`, async ({
    studio: { page },
  }) => {
    if (prepare) {
      await prepare(page);
      await page.waitForLoadState('networkidle');
    }
    const documents = await replaceRelease(page);
    await open(page);
    await expect.poll(documents).toBe(1);
    // What is not an address of its own is opened again by the seller.
    if (!['a page', 'a public page'].includes(name)) {
      await expectRestored(page, scene);
      await page.waitForLoadState('networkidle');
      await open(page);
    }
    await isThere(page);
    await page.goto(new URL('/dashboard', page.url()).href);
    await expectRestored(page, scene);
    expect(documents()).toBe(2);
  });
}

test('a page that stays away is loaded anew once, and then that is said', async ({ studio: { page } }) => {
  await page.route('**/assets/library-pages-*', gone);
  const documents = countDocuments(page);
  await parts['a page']!.open(page);
  await page.getByText("We couldn't show this page").waitFor();
  expect([documents(), new URL(page.url()).pathname]).toEqual([1, '/library']);
  await page.unroute('**/assets/library-pages-*', gone);
  await page.getByRole('button', { name: 'Reload' }).click();
  await heading(page, 'Library');
});

test('a part that stays away is asked for once more after a full load, and then that is said', async ({
  studio: { page },
}) => {
  await page.route('**/assets/help-popover-*', gone);
  const documents = countDocuments(page);
  await parts['a popover']!.open(page);
  await expect.poll(documents).toBe(1);
  await expectRestored(page, scene);
  await page.waitForLoadState('networkidle');
  await parts['a popover']!.open(page);
  await page.getByText('This could not be loaded. Please reload the page.').waitFor();
  expect(documents()).toBe(1);
});

test('without a connection the page stays, with what was entered', async ({ studio: { page } }) => {
  const documents = countDocuments(page);
  await page.route('**/assets/**', (route) => route.abort());
  await page.route('**/dashboard', (route) => route.abort());
  await parts['a popover']!.open(page);
  await page.getByText('This could not be loaded. Please reload the page.').waitFor();
  expect(documents()).toBe(0);
  expect(await description(page).inputValue()).toBe(scene);
});

test('what only may be needed, under the pointer, loads nothing anew', async ({ studio: { page } }) => {
  const documents = await replaceRelease(page);
  const [asked] = await Promise.all([
    page.waitForResponse('**/assets/help-popover-*'),
    page.getByRole('button', { name: 'Help' }).hover(),
  ]);
  expect(asked.status()).toBe(404);
  // The page answers still, so that it was not left.
  expect(await description(page).inputValue()).toBe(scene);
  expect(documents()).toBe(0);
});

test('an upload in progress ends before the full load', async ({ studio: { page } }) => {
  const uploads = await holdUploads(page);
  await generate(page);
  const upload = await uploads.next();
  const documents = await replaceRelease(page);
  const [asked] = await Promise.all([
    page.waitForResponse('**/assets/library-pages-*'),
    parts['a page']!.open(page),
  ]);
  expect([asked.status(), documents()]).toEqual([404, 0]);
  await upload.continue();
  await heading(page, 'Library');
  expect(documents()).toBe(1);
  await page.getByText('Coffee cup').first().waitFor();
  expect(uploads.keys).toHaveLength(1);
});

test('what was typed beside a part that is gone is there after the full load', async ({ finishedImage }) => {
  const { page } = await finishedImage({ plan: 'enterprise' });
  const field = page.getByLabel('Change something').getByRole('textbox');
  await field.fill('Make the wall light blue');
  const documents = await replaceRelease(page);
  await page.getByRole('button', { name: 'Mark an area' }).click();
  await expect.poll(documents).toBe(1);
  await expect.poll(() => field.inputValue()).toBe('Make the wall light blue');
  await page.getByRole('button', { name: 'Mark an area' }).click();
  await dialog(page).getByLabel('Paint over what should change').waitFor();
});

for (const address of ['/dashboard', '/faq']) {
  test(`the script that ${address} begins with is gone: the document is loaded anew once, and then that is said`, async ({
    stack,
    openWindow,
  }) => {
    const { page } = await openWindow();
    const documents = await replaceRelease(page);
    // The document itself brings the assets back, so they go only now.
    let answered = 0;
    await page.route('**/assets/index-*.js', (route) => {
      answered += 1;
      return answered === 1 ? gone(route) : route.fallback();
    });
    await page.goto(stack.url + address);
    expect(documents()).toBe(2);
    await page.route('**/assets/index-*.js', gone);
    await page.goto(`${stack.url}${address}?again`, { waitUntil: 'commit' });
    await page.getByRole('alert').getByText("We couldn't load this page completely.").waitFor();
    expect(documents()).toBe(4);
  });
}

test('a style sheet that is gone is asked for with a new document', async ({ stack, openWindow }) => {
  const { page } = await openWindow();
  const documents = countDocuments(page);
  await page.route('**/assets/*.css', gone, { times: 1 });
  await page.goto(`${stack.url}/faq`);
  await expect.poll(documents).toBe(2);
});

/** Has the API answer as another release, at a time after now, in ms. */
async function answerAs(page: Page) {
  const answer = { release: 'next' as string | null, afterMs: 0 };
  await page.route('**/api/**', async (route) => {
    const reply = await route.fetch().catch(() => null);
    // The page was left.
    if (reply === null) return;
    const headers: Record<string, string> = {
      ...reply.headers(),
      date: new Date(Date.now() + answer.afterMs).toUTCString(),
    };
    if (answer.release !== null) headers[releaseHeader] = answer.release;
    await route.fulfill({ response: reply, headers });
  });
  return {
    /** Has it answer four times: a window that is seen again asks for the account. */
    as: async (release: string | null, afterMs: number) => {
      Object.assign(answer, { release, afterMs });
      for (let count = 0; count < 4; count += 1) {
        await Promise.all([
          page.waitForResponse('**/api/me'),
          page.evaluate("document.dispatchEvent(new Event('visibilitychange'))"),
        ]);
      }
    },
  };
}

const updated = (page: Page) => page.getByText('Packshot was updated.');
const minute = 60_000;
const day = 86_400_000;

test('a new release is said after a minute, "Later" is quiet for a day, then a dialog asks to reload', async ({
  studio: { page, problems },
}) => {
  const answer = await answerAs(page);
  await answer.as('next', 0);
  expect(await updated(page).count()).toBe(0);
  await answer.as('next', 2 * minute);
  await updated(page).waitFor();
  expect(await layoutProblems(page, 'update notice')).toEqual([]);
  await page.getByRole('button', { name: 'Later' }).click();
  await updated(page).waitFor({ state: 'hidden' });
  await answer.as('next', day - minute);
  expect(await updated(page).count()).toBe(0);

  await answer.as('next', day + 2 * minute);
  await dialog(page).getByText('Please reload Packshot').waitFor();
  expect(await layoutProblems(page, 'update dialog')).toEqual([]);
  const documents = countDocuments(page);
  await dialog(page).getByRole('button', { name: 'Reload' }).click();
  await expect.poll(documents).toBe(1);
  await expectRestored(page, scene);
  expect(problems).toEqual([]);
});

test('a day later the page can be reloaded, with the form, if the code of the dialog is gone, too', async ({
  studio: { page },
}) => {
  const answer = await answerAs(page);
  await page.route('**/assets/**', gone);
  await answer.as('next', 0);
  await answer.as('next', day + minute);
  await updated(page).waitFor();
  await page.unroute('**/assets/**', gone);
  const documents = countDocuments(page);
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(documents).toBe(1);
  await expectRestored(page, scene);
});

test('two releases behind one proxy say nothing, nor does the same one', async ({ studio: { page } }) => {
  const documents = countDocuments(page);
  const answer = await answerAs(page);
  for (let turn = 0; turn < 4; turn += 1) await answer.as(turn % 2 === 0 ? 'next' : null, turn * day);
  expect(await updated(page).count()).toBe(0);
  expect(await dialog(page).count()).toBe(0);
  expect(documents()).toBe(0);
  // The test would have seen one.
  await answer.as('next', 4 * day);
  await answer.as('next', 4 * day + 2 * minute);
  await updated(page).waitFor();
});
