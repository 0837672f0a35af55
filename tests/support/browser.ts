import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from './chromium.ts';

/** Chromium as it runs in a container, and without its own talk to the network. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How pages are looked at: each theme and each width once. */
export const looks = [
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 1280 },
] as const;

/** Starts the Chromium of this machine. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium()!, args: flags });
}

export interface BrowserWindow {
  page: Page;
  /** What the page has written to its console as errors, and thrown. */
  problems: string[];
}

/** Opens a window with cookies of its own. */
export async function openBrowserWindow(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserWindow> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    // Movement is drawn by the processor here, and says nothing.
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // A preview that a newer one, or the image, has overtaken on its way is not there any more: nothing is wrong.
    const overtaken = /\/images\/preview-[\d-]+$/.test(message.location().url) && /404/.test(message.text());
    if (message.type() === 'error' && !overtaken) problems.push(message.text());
  });
  return { page, problems };
}

/**
 * Rules of accessibility that a page breaks: id and the elements, as axe sees it.
 * @param part a selector, where only that part of the page is new
 */
export async function accessibilityProblems(page: Page, part = 'html'): Promise<string[]> {
  // Without frames from elsewhere there is nothing to gather from them, in a page of its own each time.
  const { violations } = await new AxeBuilder({ page }).include(part).setLegacyMode().analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

/** By how many pixels a page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
