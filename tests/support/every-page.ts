/** Opens every page of the web app, in any browser. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { type ProjectView, pages, paths } from '#contract';
import { readSiteManifest } from '#server/site/manifest.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { shareSession } from './account-steps.ts';
import { sampleRows, uploadedBatch } from './batches.ts';
import type { OpenWindow } from './browser-test.ts';
import { eventually } from './harness.ts';
import { makeOperator } from './operator.ts';
import type { Seller } from './seller.ts';
import type { TestStack } from './stack.ts';
import { subscriber } from './subscriber.ts';

/** A window of any browser. */
export interface AnyWindow {
  goto(url: string): Promise<unknown>;
  /** The value of an expression in the page. */
  evaluate<Value>(expression: string): Promise<Value>;
}

export interface EveryAddress {
  /** Of pages that need no session. */
  open: string[];
  /** Of pages for a signed-in seller. */
  signedIn: string[];
  /** Who may open all of them, and has made what they show. */
  operator: Seller;
}

/** Finds the addresses of every page, and makes an image, a project and a batch for those that show one. */
export async function everyAddress(stack: TestStack): Promise<EveryAddress> {
  const site = (await readSiteManifest(join(rootFolder, 'web', 'dist')))!;
  const operator = await makeOperator(stack, await subscriber(stack, 'freelance'));
  const { id } = await operator.submit({ prompt: 'On oak', productName: 'Cup' });
  await expect.poll(async () => (await operator.generation(id)).state, eventually).toBe('succeeded');
  const project = await operator.request<ProjectView>(paths.projects, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Spring' }),
  });
  const batch = await uploadedBatch(operator, await sampleRows(2));
  const operatorPages = ['generations', 'sellers', 'queue', 'costs', 'outbox', 'banner', 'log'];
  const signedIn = [
    pages.dashboard,
    `${pages.dashboard}?generation=${id}`,
    pages.library,
    pages.profile,
    pages.plan,
    pages.usage,
    pages.preferences,
    pages.security,
    pages.apiKeys,
    pages.data,
    pages.projects,
    `${pages.projects}/${project.body.id}`,
    pages.batches,
    `${pages.batches}/new`,
    `${pages.batches}/${batch}`,
    pages.operator,
    ...operatorPages.map((name) => `${pages.operator}/${name}`),
    `${pages.operator}/sellers/${operator.id}`,
    `${pages.operator}/generations/${id}`,
  ];
  const needsSession = (path: string) => signedIn.some((each) => path.split('/')[1] === each.split('/')[1]);
  const open = [...Object.keys(site.pages), ...site.appPaths.filter((path) => !needsSession(path))];
  return { open, signedIn, operator };
}

/** The narrowest phone, in pixels. */
export const narrow = { width: 320, height: 844 };

/** Opens pages one after the other. @returns what is wrong with them: the error page, or a page that scrolls sideways */
export async function openEach(window: AnyWindow, url: string, addresses: string[]): Promise<string[]> {
  const problems: string[] = [];
  for (const address of addresses) {
    await window.goto(url + address);
    await expect.poll(() => window.evaluate(shown), { ...eventually, message: address }).toBe(true);
    for (const problem of await window.evaluate<string[]>(seen)) problems.push(`${address}: ${problem}`);
  }
  return problems;
}

/** Opens every page in a narrow window of a browser of Playwright: none has an error or scrolls sideways. */
export async function expectEveryPage(stack: TestStack, openWindow: OpenWindow): Promise<void> {
  const { open, signedIn, operator } = await everyAddress(stack);
  const { page, problems } = await openWindow({ viewport: narrow });
  problems.push(...(await openEach(page, stack.url, open)));
  await shareSession(stack, page, operator);
  problems.push(...(await openEach(page, stack.url, signedIn)));
  expect(problems).toEqual([]);
}

/** Whether a page shows what it is about. */
const shown = `document.querySelector('h1') !== null && !document.body.textContent.includes('Loading…')`;

const seen = `(() => {
  const { scrollWidth } = document.scrollingElement;
  const problems = [];
  if (scrollWidth > innerWidth) problems.push(scrollWidth - innerWidth + ' px wider than the window');
  problems.push(...(globalThis.pageProblems ?? []));
  if (/couldn't show this page/.test(document.querySelector('h1').textContent)) problems.push('the error page');
  return problems;
})()`;
