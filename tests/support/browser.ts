import axe, { type AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { chromiumFlags, findChromium } from '#scripts/chromium.ts';
import { limitMs } from './machine.ts';

const [desktop, phone] = [
  { width: 1280, height: 844 },
  { width: 390, height: 844 },
];

/** A window in which a page is checked. */
interface Look {
  look: string;
  colorScheme: 'dark' | 'light';
  viewport: { width: number; height: number };
}

/** Each theme and each width once. The last one remains. */
const looks: readonly Look[] = [
  { look: 'dark, 1280 px', colorScheme: 'dark', viewport: desktop },
  { look: 'light, 390 px', colorScheme: 'light', viewport: phone },
];

/** Each theme in each width. */
export const everyLook: readonly Look[] = [
  { look: 'light, 1280 px', colorScheme: 'light', viewport: desktop },
  { look: 'dark, 390 px', colorScheme: 'dark', viewport: phone },
  ...looks,
];

/** A host that is this machine, but to the browser a server of the local network: by http it is no secure context. */
export const lanHost = 'packshot.lan';

let running: Promise<Browser> | undefined;

/**
 * The Chromium of this test worker, for all its files: started when a test first asks for it, and again after a crash.
 * Playwright kills it when the worker exits; if the worker is killed, it ends because its pipe closes.
 */
export function workerBrowser(): Promise<Browser> {
  running ??= startBrowser().catch((error: unknown) => {
    running = undefined;
    throw error;
  });
  return running;
}

async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: findChromium()!,
    args: [...chromiumFlags, `--host-resolver-rules=MAP ${lanHost} 127.0.0.1`],
    timeout: limitMs(30_000),
  });
  browser.once('disconnected', () => {
    running = undefined;
  });
  return browser;
}

export interface BrowserWindow {
  page: Page;
  /** Console errors and uncaught exceptions of the page. */
  problems: string[];
}

/** The most characters of a page that are printed. */
const seenCharacters = 6_000;

/** What there is to see in a window, for the output of a failed test: the address, roles and texts of each page, and its problems. */
export async function seenIn({ page, problems }: BrowserWindow): Promise<string> {
  const pages = await Promise.all(
    page
      .context()
      .pages()
      .map(async (each) => {
        const content = await each
          .locator('body')
          .ariaSnapshot()
          .catch((error: Error) => error.message);
        return `seen at ${each.url()}:\n${content.slice(0, seenCharacters)}`;
      }),
  );
  return [...pages, ...problems.map((problem) => `problem: ${problem}`)].join('\n\n');
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
  context.setDefaultTimeout(limitMs(30_000));
  const page = await context.newPage();
  if (options.javaScriptEnabled !== false) waitForApp(page);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // Expected: a preview that was replaced by a newer one, or by the image, while it was requested.
    const replaced = /\/images\/preview-[\d-]+$/.test(message.location().url) && /404/.test(message.text());
    if (message.type() === 'error' && !replaced) problems.push(`${message.text()} ${message.location().url}`);
  });
  return { page, problems };
}

/**
 * Makes `goto` wait until the app runs: a prerendered page is replaced then if its address has a query, and a click in that
 * moment would be lost. With `waitUntil`, it waits only for that.
 */
function waitForApp(page: Page): void {
  const goto = page.goto.bind(page);
  page.goto = async (url, options) => {
    const reply = await goto(url, options);
    if (options?.waitUntil === undefined) {
      // Not `waitForFunction`, which the content security policy forbids.
      await expect.poll(() => page.evaluate(appRuns), { timeout: limitMs(30_000), interval: 20 }).toBe(true);
    }
    return reply;
  };
}

/** Also true on pages of other programs. `web/public/prepare.js` defines the variable. */
export const appRuns = 'globalThis.earlySubmit?.hold !== true';

/**
 * Checks a page in several looks. Afterwards its window is as wide as a phone.
 * @param name begins each problem
 * @param part selector of the part whose accessibility is checked
 * @param checkedLooks by default each theme and each width once
 * @returns the accessibility rules that the page violates, with the elements, and by how much it is wider than its window
 */
export async function layoutProblems(
  page: Page,
  name: string,
  part = 'html',
  checkedLooks = looks,
): Promise<string[]> {
  const problems: string[] = [];
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  await page.evaluate(withoutTransitions);
  for (const { look, colorScheme, viewport } of checkedLooks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await page.evaluate(nextFrame);
    const violations = await page.evaluate<AxeResults['violations']>(
      `axe.run(${JSON.stringify(part)}, { resultTypes: ['violations'] }).then((results) => results.violations)`,
    );
    for (const { id, nodes } of violations) {
      problems.push(`${name}, ${look}: ${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
    }
    const wider = await page.evaluate<number>(overflow);
    if (wider > 0) problems.push(`${name}, ${look}: ${wider} px wider than the window`);
  }
  return problems;
}

/**
 * Ends all transitions in a page: the contrast of colours that still change would be wrong. The page has constructed style
 * sheets of its own (web/src/lib/constructed-styles.ts), which stay.
 */
const withoutTransitions = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { transition: none !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}`;

/** Waits until a page has applied its new theme and width. */
const nextFrame = 'new Promise((resolve) => requestAnimationFrame(() => resolve()))';

/** The number of pixels by which a page is wider than its window. */
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
