/** The real clipboard of a browser. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { cup } from './studio-page.ts';

/** Puts text, a picture or both into the clipboard, as an office program does with a cell. */
export async function copy(
  page: Page,
  { text = '', picture }: { text?: string; picture?: boolean },
): Promise<void> {
  const context = page.context();
  // Firefox has a setting for it (firefox.ts).
  if (context.browser()!.browserType().name() === 'chromium') {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  }
  const png = picture ? (await readFile(cup)).toString('base64') : '';
  await page.evaluate(`(async () => {
    const [text, png] = ${JSON.stringify([text, png])};
    const items = {};
    const add = (type, content) => { items[type] = new Blob([content], { type }); };
    if (text) add('text/plain', text);
    if (text) add('text/html', '<td>' + text + '</td>');
    if (png) add('image/png', Uint8Array.from(atob(png), (character) => character.charCodeAt(0)));
    await navigator.clipboard.write([new ClipboardItem(items)]);
  })()`);
}

export const paste = (page: Page) => page.keyboard.press('ControlOrMeta+V');
