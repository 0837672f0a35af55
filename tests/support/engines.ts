/** The browsers besides Chromium that the tests of `tests/engines` need, where Debian installs them. */
import { globSync } from 'node:fs';

/** Where the programs of a browser are. */
export interface BrowserPrograms {
  browser: string;
  /** An X server without a screen. */
  display: string;
}

/** Debian's Firefox; undefined when it or the display is missing. */
export function findFirefox(): BrowserPrograms | undefined {
  return allFound({ browser: '/usr/bin/firefox-esr', display });
}

/** Debian's WebKitGTK with the browser that comes with it; undefined when some of it is missing. */
export function findWebKit(): (BrowserPrograms & { driver: string }) | undefined {
  return allFound({
    browser: '/usr/lib/*/webkit2gtk-4.1/MiniBrowser',
    display,
    driver: '/usr/bin/WebKitWebDriver',
  });
}

const display = '/usr/bin/Xvfb';

function allFound<Name extends string>(patterns: Record<Name, string>): Record<Name, string> | undefined {
  const found = Object.entries<string>(patterns).map(([name, pattern]) => [name, globSync(pattern)[0]]);
  return found.every(([, path]) => path) ? Object.fromEntries(found) : undefined;
}
