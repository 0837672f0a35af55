/** Debian's Firefox, which Playwright drives over WebDriver BiDi. */
import { type Browser, firefox } from 'playwright-core';
import { afterAll } from 'vitest';
import { type Display, startDisplay } from './display.ts';
import { findFirefox } from './engines.ts';
import { limitMs } from './machine.ts';

/** Names of settings as `about:config` has them, with their values. */
export type FirefoxSettings = Record<string, string | number | boolean>;

const always: FirefoxSettings = {
  // Animations cost CPU time and are not tested.
  'ui.prefersReducedMotion': 1,
  // Lets tests fill the clipboard without a gesture.
  'dom.events.testing.asyncClipboard': true,
};

/**
 * A Firefox for the tests of a file, for `testWithStackAndBrowser`. It has a display: without one its clipboard takes no pictures.
 * @returns starts it when it is first called; it is closed after the last test
 */
export function firefoxWith(settings: FirefoxSettings = {}): () => Promise<Browser> {
  let display: Display | undefined;
  let running: Promise<Browser> | undefined;
  afterAll(async () => {
    await (await running)?.close();
    await display?.close();
  });
  return () => {
    running ??= (async () => {
      const programs = findFirefox()!;
      display = await startDisplay(programs.display);
      return start(programs.browser, display, { ...always, ...settings });
    })();
    return running;
  };
}

async function start(path: string, display: Display, settings: FirefoxSettings): Promise<Browser> {
  const browser = await firefox.launch({
    // Playwright's name for a Firefox that it has not changed.
    channel: 'moz-firefox',
    executablePath: path,
    headless: false,
    env: { DISPLAY: display.name },
    firefoxUserPrefs: settings,
    timeout: limitMs(60_000),
  });
  answerMissingCommand(browser);
  typeAsPeopleDo(browser);
  return browser;
}

/**
 * Lets Playwright's `fill` edit a field as a person does. By itself it assigns the text in Firefox and then reports an input,
 * which React takes for a change that it made itself.
 */
function typeAsPeopleDo(browser: Browser): void {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    // Playwright defines it in every page, before or after this script.
    await context.addInitScript(`Object.defineProperty(globalThis, '__pw_bidiInsertText', {
      get: () => (text) => void document.execCommand('insertText', false, text),
      set: () => {},
    });`);
    return context;
  };
}

/** The command with which Playwright sets the colour scheme of every window. Firefox ESR 153 does not know it and no test needs it. */
const missingCommand = 'emulation.setMediaFeaturesOverride';

type Send = (command: string, parameters: object) => Promise<unknown>;
/** The part of Playwright's own objects that sends commands. */
interface PlaywrightInside {
  _connection: { toImpl(browser: unknown): { _browserSession: { send: Send } } };
}

/** Answers {@link missingCommand} in Firefox's place. */
function answerMissingCommand(browser: Browser): void {
  const session = (browser as unknown as PlaywrightInside)._connection.toImpl(browser)._browserSession;
  const send = session.send.bind(session);
  session.send = async (command, parameters) => (command === missingCommand ? {} : send(command, parameters));
}
