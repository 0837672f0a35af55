/**
 * `npm run campaign -- lighthouse`: measures public pages with Lighthouse as on a phone, three times each, in a Packshot of its own.
 * Prints the median of each category and fails below 95. Paths such as `-- /faq` measure only those.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '#scripts/chromium.ts';
import { readCommandLine, refuse } from '#scripts/command-line.ts';
import { startStack } from '#scripts/start/stack.ts';
import { measurePage, type PageResult } from './measure-page.ts';

const { words: paths } = readCommandLine('lighthouse', {
  typed: 'npm run campaign -- lighthouse',
  about: 'Measures public pages with Lighthouse as on a phone, and fails below 95.',
  words: '[PATH…]',
});
const noPath = paths.find((path) => !path.startsWith('/'));
if (noPath !== undefined) refuse('lighthouse', `${noPath} is no path of a page: it begins with /`);
if (paths.length === 0) paths.push('/', '/login', '/signup', '/faq', '/documentation/first-image');

/** The smallest score that passes, of 100. */
const smallestScore = 95;

const chromium = findChromium();
if (chromium === undefined) {
  console.error('lighthouse: there is no Chromium in /usr/bin (Debian: apt-get install chromium)');
  process.exit(1);
}
const dataFolder = await mkdtemp(join(tmpdir(), 'packshot-lighthouse-'));
const stack = await startStack({ dataFolder, port: 0, report: console.log });
let failed = 0;
try {
  for (const path of paths) {
    const result = await measurePage(stack.url + path, chromium, 3);
    console.log(describe(path, result));
    if (Object.values(result.scores).some((score) => score < smallestScore)) failed += 1;
  }
} finally {
  await stack.close();
  await rm(dataFolder, { recursive: true, force: true });
}
console.log(
  failed === 0
    ? `every score is at least ${smallestScore}`
    : `FAILED: ${failed} pages below ${smallestScore}`,
);
process.exit(failed === 0 ? 0 : 1);

function describe(path: string, { scores, timings, problems }: PageResult): string {
  const categories = Object.entries(scores).map(([name, score]) => `${name} ${score}`);
  const { lcpMs, tbtMs, cls } = timings;
  const times = `LCP ${(lcpMs / 1_000).toFixed(1)} s  TBT ${Math.round(tbtMs)} ms  CLS ${cls.toFixed(3)}`;
  return [
    `${path.padEnd(28)} ${categories.join('  ')}  ${times}`,
    ...problems.map((each) => `  ${each}`),
  ].join('\n');
}
