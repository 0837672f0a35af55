import { existsSync } from 'node:fs';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The program of a Chromium on this machine; undefined when there is none. */
export function findChromium(): string | undefined {
  return places.find((place) => existsSync(place));
}
