/** `test` for browser tests, with windows that close with their test. */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { test as base, expect, type TestContext } from 'vitest';
import { builtSite } from '#server/site/site.ts';
import { openAs, openProfile, type ProfilePage, shareSession } from './account-steps.ts';
import { type BrowserWindow, openBrowserWindow, seenIn, workerBrowser } from './browser.ts';
import type { NewSeller } from './seller.ts';
import type { TestStackOptions } from './stack.ts';
import { download, fillInStudio, openStudio } from './studio-page.ts';
import { testWithStack } from './test.ts';

type OnCleanup = (cleanup: () => Promise<void>) => void;
export type OpenWindow = (options?: BrowserContextOptions) => Promise<BrowserWindow>;

function windowOpener(findBrowser: () => Promise<Browser>) {
  return ({ task }: TestContext, { onCleanup }: { onCleanup: OnCleanup }): OpenWindow => {
    const opened: BrowserWindow[] = [];
    onCleanup(async () => {
      if (task.result?.state === 'fail') {
        for (const window of opened) console.error(await seenIn(window));
      }
      await Promise.all(opened.map(({ page }) => page.context().close()));
    });
    return async (options) => {
      const window = await openBrowserWindow(await findBrowser(), options);
      opened.push(window);
      return window;
    };
  };
}

/** `test` without a stack. `openWindow` opens a window with its own cookies. */
export const testWithBrowser = base.extend('openWindow', windowOpener(workerBrowser));

/**
 * `test` with a stack for the file, started by the first test that uses it, and a browser. Each of these is for a new
 * seller, whose session began elsewhere: `profilePage` opens a sub-page of the account settings, `filledStudio` the studio,
 * with the form filled in for this scene, and `finishedImage` the studio with an image that is finished.
 * @param findBrowser the browser of the windows; by default Chromium
 */
export function testWithStackAndBrowser(options: TestStackOptions = {}, findBrowser = workerBrowser) {
  return testWithStack({ ...options, server: { site: builtSite, ...options.server } })
    .extend('openWindow', windowOpener(findBrowser))
    .extend(
      'profilePage',
      ({ stack, openWindow }) =>
        async (name: ProfilePage, windowOptions?: BrowserContextOptions) => {
          const seller = await stack.seller();
          const { page } = await openWindow(windowOptions);
          await shareSession(stack, page, seller);
          await openProfile(stack, page, name);
          return { page, seller, email: seller.email };
        },
    )
    .extend('filledStudio', ({ stack, openWindow }) => async (scene: string, details: NewSeller = {}) => {
      const window = await openWindow();
      const seller = await openStudio(stack, window.page, details);
      await fillInStudio(window.page, scene);
      return { ...window, seller };
    })
    .extend(
      'finishedImage',
      ({ stack, openWindow }) =>
        async (details: NewSeller = {}, windowOptions?: BrowserContextOptions) => {
          const seller = await stack.seller(details);
          const { id } = await seller.submit({ prompt: 'On a wooden table', productName: 'Coffee cup' });
          await expect.poll(async () => (await seller.generation(id)).state).toBe('succeeded');
          const window = await openWindow(windowOptions);
          await openAs(stack, window.page, seller, `/dashboard?generation=${id}`);
          await download(window.page).waitFor();
          return { ...window, seller, id };
        },
    );
}
