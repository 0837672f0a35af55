/** `test` for browser tests: one Chromium for the file, and windows that close with their test. */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { test as base } from 'vitest';
import { openProfile, type ProfilePage, startSession } from './account-steps.ts';
import { type BrowserWindow, launchBrowser, openBrowserWindow } from './browser.ts';
import type { TestStackOptions } from './stack.ts';
import { fillInStudio, openStudio } from './studio-page.ts';
import { testWithStack } from './test.ts';

type OnCleanup = (cleanup: () => Promise<void>) => void;

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs
async function startBrowser({}: object, { onCleanup }: { onCleanup: OnCleanup }): Promise<Browser> {
  const browser = await launchBrowser();
  onCleanup(() => browser.close());
  return browser;
}

type OpenWindow = (options?: BrowserContextOptions) => Promise<BrowserWindow>;

function windowOpener(browser: Browser, onCleanup: OnCleanup): OpenWindow {
  const opened: BrowserWindow[] = [];
  onCleanup(async () => {
    await Promise.all(opened.map(({ page }) => page.context().close()));
  });
  return async (options) => {
    const window = await openBrowserWindow(browser, options);
    opened.push(window);
    return window;
  };
}

/** `test` with a browser and no stack. `openWindow` opens a window with its own cookies. */
export const testWithBrowser = base
  .extend('browser', { scope: 'file' }, startBrowser)
  .extend('openWindow', ({ browser }, { onCleanup }) => windowOpener(browser, onCleanup));

/**
 * `test` with a stack for the file, started by the first test that uses it, and a browser. `profilePage` signs a new
 * seller in and opens a sub-page of the account settings. `filledStudio` opens the studio as a new seller and fills in
 * the form with this scene.
 */
export function testWithStackAndBrowser(options: TestStackOptions = {}) {
  return testWithStack({ ...options, server: { site: true, ...options.server } })
    .extend('browser', { scope: 'file' }, startBrowser)
    .extend('openWindow', ({ browser }, { onCleanup }) => windowOpener(browser, onCleanup))
    .extend(
      'profilePage',
      ({ stack, openWindow }) =>
        async (name: ProfilePage, windowOptions?: BrowserContextOptions) => {
          const { email } = await stack.seller();
          const { page } = await openWindow(windowOptions);
          await startSession(stack, page, email);
          await openProfile(stack, page, name);
          return { page, email };
        },
    )
    .extend('filledStudio', ({ stack, openWindow }) => async (scene: string) => {
      const window = await openWindow();
      await openStudio(stack, window.page);
      await fillInStudio(window.page, scene);
      return window;
    });
}
