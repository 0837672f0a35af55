import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from './chromium.ts';

/** Lets Chromium run in a container, and turns off its own network requests. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The windows in which pages are checked: each theme and each width once. */
export const looks = [
  { look: 'light, 390 px', window: { colorScheme: 'light', viewport: { width: 390, height: 844 } } },
  { look: 'dark, 1280 px', window: { colorScheme: 'dark', viewport: { width: 1280, height: 844 } } },
] as const;

/** Starts the Chromium that is installed on this machine. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium()!, args: flags });
}

export interface BrowserWindow {
  page: Page;
  /** Console errors and uncaught exceptions of the page. */
  problems: string[];
}

/** Opens a window with its own cookies. */
export async function openBrowserWindow(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserWindow> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    // Animations cost CPU time and are not tested.
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // Expected: a preview that was replaced by a newer one, or by the image, while it was requested.
    const replaced = /\/images\/preview-[\d-]+$/.test(message.location().url) && /404/.test(message.text());
    if (message.type() === 'error' && !replaced) problems.push(message.text());
  });
  return { page, problems };
}

/**
 * The accessibility rules that a page violates according to axe, each with its elements.
 * @param part selector of the part to check
 */
export async function accessibilityProblems(page: Page, part = 'html'): Promise<string[]> {
  // The pages have no frames from other origins; legacy mode then saves opening a page to combine their results.
  const { violations } = await new AxeBuilder({ page }).include(part).setLegacyMode().analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

/** The number of pixels by which a page is wider than its window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/**
 * The accessibility problems of a page, and whether it is wider than its window.
 * @param name begins each problem
 * @param part selector of the part whose accessibility is checked
 */
export async function layoutProblems(page: Page, name: string, part?: string): Promise<string[]> {
  const problems = await accessibilityProblems(page, part);
  const wider = await overflow(page);
  if (wider > 0) problems.push(`${wider} px wider than the window`);
  return problems.map((problem) => `${name}: ${problem}`);
}
