/** Debian's WebKitGTK, driven over WebDriver (https://www.w3.org/TR/webdriver2/) on a display without a screen. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { startWatchedProgram } from '#local/parent-watchdog.ts';
import { appRuns } from './browser.ts';
import { startDisplay } from './display.ts';
import { findWebKit } from './engines.ts';
import { findFreePort } from './free-port.ts';
import { eventually } from './harness.ts';
import { limitMs } from './machine.ts';

/** A window of WebKitGTK. Elements are found by XPath, and waited for. */
export interface WebKitWindow {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Waits until an element is in the page. @throws Error if it does not come */
  find(xpath: string): Promise<void>;
  click(xpath: string): Promise<void>;
  /** Types text, or the path of a file for a file input, with the keys of a keyboard. */
  type(xpath: string, text: string): Promise<void>;
  /** The value of an expression in the page; a promise is awaited. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** Sets a cookie for the site of the page that is open. */
  setCookie(name: string, value: string): Promise<void>;
  /** @param width in pixels, as the page sees it */
  resize(width: number, height: number): Promise<void>;
  close(): Promise<void>;
}

export interface WebKit {
  /** Opens a window with its own cookies, after the one before was closed: the driver has one at a time. */
  openWindow(): Promise<WebKitWindow>;
  /** Where downloads are saved. */
  downloadFolder: string;
  close(): Promise<void>;
}

/** The key of an element's id in the replies of a driver. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/** XPaths of what a seller looks for. */
export const xpath = {
  field: (label: string) => `//*[@id = //label[normalize-space() = "${label}"]/@for]`,
  button: (name: string) => `//button[normalize-space() = "${name}" or @aria-label = "${name}"]`,
  link: (name: string) => `//a[normalize-space() = "${name}"]`,
  text: (text: string) => `//*[text()[contains(normalize-space(), "${text}")]]`,
};

/** Starts the display and the driver. */
export async function startWebKit(): Promise<WebKit> {
  const programs = findWebKit()!;
  const home = await mkdtemp(join(tmpdir(), 'packshot-webkit-'));
  const downloadFolder = join(home, 'downloads');
  await Promise.all([
    mkdir(downloadFolder),
    write(join(home, 'gtk-3.0', 'gtk.css'), narrowToolbar),
    write(join(home, 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloadFolder}"\n`),
  ]);
  const display = await startDisplay(programs.display);
  const startDriver = async () => {
    const port = await findFreePort();
    const program = await startWatchedProgram({
      // The driver says nothing when it starts.
      command: ['/bin/sh', '-c', 'echo started; exec "$@"', 'driver', programs.driver, `--port=${port}`],
      env: { HOME: home, XDG_CONFIG_HOME: home, DISPLAY: display.name, NO_AT_BRIDGE: '1' },
      isReady: (line) => line === 'started',
      endSignal: 'TERM',
    });
    const url = `http://127.0.0.1:${port}`;
    await vi.waitFor(() => fetch(`${url}/status`).then((reply) => reply.body?.cancel()), {
      timeout: limitMs(30_000),
      interval: 20,
    });
    return { url, close: program.close };
  };
  let driver = await startDriver();
  return {
    downloadFolder,
    async openWindow() {
      try {
        return await openWindow(driver.url, programs.browser);
      } catch (error) {
        if (!(error instanceof DOMException) || error.name !== 'TimeoutError') throw error;
        // Seen once on a busy machine: the driver never answers.
        await driver.close();
        driver = await startDriver();
        return await openWindow(driver.url, programs.browser);
      }
    },
    async close() {
      await driver.close();
      await display.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/**
 * Scrolls an element to the middle, because the driver would scroll it to the edge, where it may be covered; then waits until
 * it has one place in two frames: the driver clicks at a place, and what loads above an element moves it away from there.
 */
const scrollAndRest = `
  const [element, done] = arguments;
  element.scrollIntoView({ block: 'center' });
  let last = NaN;
  const compare = () => {
    const { top } = element.getBoundingClientRect();
    if (top === last) return done();
    last = top;
    requestAnimationFrame(() => requestAnimationFrame(compare));
  };
  compare();
`;

/** The toolbar of the browser would keep its window wider than a phone. */
const narrowToolbar = '* { min-width: 0; padding: 0; margin: 0; }\n';

async function write(path: string, content: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, content);
}

async function openWindow(url: string, binary: string): Promise<WebKitWindow> {
  const ask = async <Value>(
    method: string,
    path: string,
    body?: object,
    signal?: AbortSignal,
  ): Promise<Value> => {
    const reply = await fetch(url + path, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const { value } = (await reply.json()) as { value: Value & { error?: string; message?: string } };
    if (!reply.ok) throw new Error(`${path} ${JSON.stringify(body)}: ${value.error} ${value.message}`);
    return value;
  };
  const capabilities = {
    alwaysMatch: {
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
      timeouts: { implicit: limitMs(30_000) },
    },
  };
  const { sessionId } = await ask<{ sessionId: string }>(
    'POST',
    '/session',
    { capabilities },
    AbortSignal.timeout(limitMs(30_000)),
  );
  const session = `/session/${sessionId}`;
  const post = <Value>(path: string, body: object = {}) => ask<Value>('POST', session + path, body);
  const element = async (value: string) => {
    const found = await post<Record<string, string>>('/element', { using: 'xpath', value });
    return `/element/${found[elementKey]}`;
  };
  const evaluate = <Value>(expression: string) =>
    post<Value>('/execute/sync', { script: `return ${expression}`, args: [] });
  const untilAppRuns = () => expect.poll(() => evaluate(appRuns), eventually).toBe(true);
  return {
    goto: async (page) => {
      await post('/url', { url: page });
      await untilAppRuns();
    },
    reload: async () => {
      await post('/refresh');
      await untilAppRuns();
    },
    find: async (path) => void (await element(path)),
    click: async (path) => {
      const found = await element(path);
      const args = [{ [elementKey]: found.split('/').at(-1) }];
      await post('/execute/async', { script: scrollAndRest, args });
      await post(`${found}/click`);
    },
    type: async (path, text) => post(`${await element(path)}/value`, { text }),
    evaluate,
    setCookie: (name, value) => post('/cookie', { cookie: { name, value } }),
    resize: (width, height) => post('/window/rect', { width, height }),
    close: () => ask('DELETE', session),
  };
}
