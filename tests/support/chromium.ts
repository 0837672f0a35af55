import { existsSync } from 'node:fs';

const paths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of the Chromium installed on this machine; undefined when there is none. */
export function findChromium(): string | undefined {
  return paths.find((path) => existsSync(path));
}
