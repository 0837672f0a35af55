/** `npm run campaign -- samples screenshots`: takes the screenshots of the guides and the landing page in a Packshot of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { pages } from '#contract';
import { startImageServer } from '#local/openai/server.ts';
import { chromiumFlags, findChromium } from '#scripts/chromium.ts';
import { demoSeller } from '#scripts/start/demo-sellers.ts';
import { makeFirstImages } from '#scripts/start/first-images.ts';
import { startStack } from '#scripts/start/stack.ts';
import { writeFiles, writeList } from '#tests/campaigns/samples/site/picture-files.ts';
import { picturesFolder } from '#tests/campaigns/samples/site/write-site.ts';
import { type Screenshot, type ScreenshotGroup, screenshotGroups } from './screenshots.ts';

/**
 * Takes the screenshots and writes them to `web/src/pictures`. They show today's date, so each run changes their files.
 * @param only takes only those whose path, such as `screens/batch`, contains this; those of the guides need each other
 * @param onProgress called with a line for each step
 * @throws Error with a one-line message when there is no Chromium
 */
export async function takeScreenshots(only: string, onProgress: (line: string) => void): Promise<void> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('there is no Chromium in /usr/bin');
  const dataFolder = await mkdtemp(join(tmpdir(), 'packshot-screenshots-'));
  // An image server of our own, given like OpenAI's: a hint at the local renderer would be on no seller's screen.
  const images = await startImageServer({ varied: true });
  const settings = { OPENAI_API_KEY: 'local', OPENAI_BASE_URL: images.url };
  try {
    const stack = await startStack({ dataFolder, port: 0, settings, report: onProgress });
    try {
      const problem = await makeFirstImages(stack.url, demoSeller, new AbortController().signal);
      if (problem !== undefined) onProgress(problem);
      const browser = await chromium.launch({ executablePath, args: chromiumFlags });
      try {
        for (const group of screenshotGroups) {
          const wanted = group.screenshots.filter(({ name }) => `${group.folder}/${name}`.includes(only));
          if (wanted.length > 0) await takeGroup(browser, stack.url, group, wanted, onProgress);
        }
      } finally {
        await browser.close();
      }
    } finally {
      await stack.close();
    }
  } finally {
    await images.close();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

async function takeGroup(
  browser: Browser,
  url: string,
  group: ScreenshotGroup,
  wanted: readonly Screenshot[],
  onProgress: (line: string) => void,
): Promise<void> {
  const { viewport, deviceScaleFactor, widths } = group;
  const page = await browser.newPage({
    viewport,
    deviceScaleFactor,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-US',
  });
  await page.goto(`${url}${pages.login}`);
  await page.getByLabel('Email').fill(demoSeller.email);
  await page.getByLabel('Password', { exact: true }).fill(demoSeller.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL(`**${pages.dashboard}`);

  const folder = join(picturesFolder, group.folder);
  for (const { name, prepare } of wanted) {
    await prepare(page, url);
    await page.evaluate(untilDrawn);
    const sizes = await writeFiles(folder, name, await page.screenshot({ caret: 'hide' }), widths);
    onProgress(`${group.folder}/${name}  ${sizes}`);
  }
  await writeList(folder, group.screenshots);
}

/** Waits for the fonts, for the pictures in the window, and for the end of animations that have one. */
const untilDrawn = `(async () => {
  await document.fonts.ready;
  const shown = [...document.images].filter((image) => {
    const { top, bottom, width } = image.getBoundingClientRect();
    return width > 0 && bottom > 0 && top < innerHeight;
  });
  await Promise.all(shown.map((image) => image.decode()));
  const ending = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);
  // What is not drawn any more, behind a dialog, may never end.
  await Promise.race([Promise.allSettled(ending.map(({ finished }) => finished)), new Promise((end) => setTimeout(end, 5_000))]);
})()`;
