import { existsSync } from 'node:fs';

/** The headless shell comes first: the whole browser takes much more CPU time for the same tests. */
const paths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of the Chromium installed on this machine; undefined when there is none. */
export function findChromium(): string | undefined {
  return paths.find((path) => existsSync(path));
}

/** Lets Chromium run in a container, and turns off its own network requests. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
