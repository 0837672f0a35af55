/** What a seller does in WebKitGTK, whose engine is that of Safari. */
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { builtSite } from '#server/site/site.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { everyAddress, narrow, openEach } from '#tests/support/every-page.ts';
import { makeFirstImage, type PhoneWindow, phoneSize } from '#tests/support/first-image.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { draftExpression, mug } from '#tests/support/studio-page.ts';
import { temporaryFolder, testWithStack } from '#tests/support/test.ts';
import { startWebKit, type WebKitWindow, xpath } from '#tests/support/webkit.ts';

const { button, field, link, text } = xpath;

const test = testWithStack({ server: { site: builtSite } })
  .extend('webkit', { scope: 'file' }, async ({ stack }, { onCleanup }) => {
    collectProblems(stack);
    const webkit = await startWebKit();
    onCleanup(() => webkit.close());
    return webkit;
  })
  .extend('window', async ({ webkit, task }, { onCleanup }) => {
    const window = await webkit.openWindow();
    onCleanup(async () => {
      if (task.result?.state === 'fail') console.error(await window.evaluate(seen));
      await window.close();
    });
    return window;
  })
  .extend('folder', ({ stack }, { onCleanup }) => temporaryFolder(stack, onCleanup));

/** What there is to see in a window, for the output of a failed test. */
const seen = "'seen at ' + location + '\\n' + document.body.innerText";

/** Begins the first script of every page. WebDriver tells nothing of errors and of what is written to the console. */
const collector = `{
  globalThis.pageProblems = [];
  const { error } = console;
  console.error = (...values) => {
    pageProblems.push(values.map(String).join(' '));
    error.apply(console, values);
  };
  addEventListener('error', (event) => pageProblems.push(event.message ?? 'not loaded: ' + event.target.src), true);
  addEventListener('unhandledrejection', ({ reason }) => pageProblems.push(String(reason)));
}
`;

/** Lets the pages of a stack collect their problems in a global variable. */
function collectProblems({ server }: TestStack): void {
  const http = server.app.server;
  const answers = http.listeners('request');
  http.removeAllListeners('request');
  http.on('request', async (request, reply) => {
    if (request.url !== '/prepare.js') {
      for (const answer of answers) answer.call(http, request, reply);
      return;
    }
    const script = await readFile(join(rootFolder, 'web', 'dist', 'static', 'prepare.js'), 'utf8');
    reply.setHeader('content-type', 'text/javascript').end(collector + script);
  });
}

const problemsOf = (window: WebKitWindow) => window.evaluate<string[]>('pageProblems');

const photos = '//input[@type = "file"]';
const scene = field('Scene description');
const valueIn = (window: WebKitWindow, id: string) =>
  window.evaluate<string>(`document.querySelector(${JSON.stringify(id)}).value`);
const photoCount = (window: WebKitWindow) =>
  window.evaluate<number>(`document.querySelectorAll('button[aria-label^="Remove "]').length`);

async function signIn(stack: TestStack, window: WebKitWindow): Promise<void> {
  const { email } = await stack.seller();
  await window.goto(`${stack.url}/login`);
  await window.type(field('Email'), email);
  await window.type(field('Password'), testPassword);
  await window.click(button('Sign In'));
  await window.find(scene);
}

/** A window of WebKitGTK as a phone. */
function phoneOf(window: WebKitWindow, downloadFolder: string): PhoneWindow {
  const named = {
    button: (name: string) => `//button[starts-with(normalize-space(), "${name}")]`,
    link: (name: string) => `//a[starts-with(normalize-space(), "${name}")]`,
    checkbox: () => '//input[@type = "checkbox"]',
  };
  return {
    goto: (url) => window.goto(url),
    reload: () => window.reload(),
    tap: (kind, name) => window.click(named[kind](name)),
    type: (label, words) => window.type(field(label), words),
    choosePhoto: (path) => window.type(photos, path),
    see: (words) => window.find(text(words)),
    download: async (name) => {
      await window.click(link(name));
      const files = () => readdir(downloadFolder);
      await expect.poll(files, eventually).toEqual([expect.stringMatching(/\.png$/)]);
      const [file] = await files();
      return { name: file!, bytes: await readFile(join(downloadFolder, file!)) };
    },
  };
}

test('a seller comes from the landing page to an image that appears by itself, finds it again and signs out', async ({
  stack,
  webkit,
  window,
}) => {
  await window.resize(phoneSize.width, phoneSize.height);
  await makeFirstImage(stack, phoneOf(window, webkit.downloadFolder));
  expect(await problemsOf(window)).toEqual([]);
  await window.click('(//button[starts-with(@aria-label, "Account of")])[last()]');
  await window.click('//*[@role = "menuitem"][normalize-space() = "Sign Out"]');
  await window.find(text('You are signed out.'));
});

test('a photo that changes or is deleted after it was chosen is kept, over a reload as well, and sent as it was', async ({
  stack,
  window,
  folder,
}) => {
  await signIn(stack, window);
  const [changed, deleted] = [join(folder, 'changed.jpg'), join(folder, 'deleted.jpg')];
  await Promise.all([copyFile(mug, changed), copyFile(mug, deleted)]);
  await window.type(photos, `${changed}\n${deleted}`);
  await expect.poll(() => photoCount(window), eventually).toBe(2);
  await Promise.all([writeFile(changed, 'another file'), rm(deleted)]);
  await window.type(scene, 'On slate');
  await expect
    .poll(() => window.evaluate(draftExpression), eventually)
    .toMatchObject({ prompt: 'On slate', photos: expect.arrayContaining(['changed.jpg', 'deleted.jpg']) });
  await window.reload();
  await expect.poll(() => photoCount(window), eventually).toBe(2);
  // Safari has lost files that were stored again after they were shown.
  await window.type(scene, ' tiles');
  await expect
    .poll(() => window.evaluate(draftExpression), eventually)
    .toMatchObject({ prompt: 'On slate tiles' });
  await window.reload();
  await expect.poll(() => photoCount(window), eventually).toBe(2);
  expect(await valueIn(window, '#scene')).toBe('On slate tiles');
  await window.click(button('Generate Image'));
  await window.find(link('Download'));
  expect(await problemsOf(window)).toEqual([]);
});

test('a number field takes digits of other scripts', async ({ stack, window }) => {
  await signIn(stack, window);
  await window.click('//button[@aria-label = "More options"]');
  await window.click(field('Use a seed'));
  await window.find('//input[@aria-label = "Seed"]');
  await window.evaluate(`document.querySelector('[aria-label="Seed"]').select()`);
  await window.type('//input[@aria-label = "Seed"]', '١٢٣');
  expect(await valueIn(window, '[aria-label="Seed"]')).toBe('123');
});

test('every page opens without errors and does not scroll sideways', {
  timeout: limitMs(300_000),
}, async ({ stack, window }) => {
  const { open, signedIn, operator } = await everyAddress(stack);
  await window.resize(narrow.width, narrow.height);
  const problems = await openEach(window, stack.url, open);
  await window.setCookie('packshot', operator.token);
  problems.push(...(await openEach(window, stack.url, signedIn)));
  expect(problems).toEqual([]);
});
