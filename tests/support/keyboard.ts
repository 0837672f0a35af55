/** What a person without a mouse does in Chromium, and what a screen reader would say. */
import type { CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from './harness.ts';

/** A person who uses the keyboard, and hears the page. */
export interface KeyboardPerson {
  /** What has the focus, as Chromium tells assistive technology: role, name and states, such as `button "Edit" expanded`. */
  focused(): Promise<string>;
  /** Waits until this has the focus. */
  expectFocus(what: string | RegExp): Promise<void>;
  /**
   * Presses Tab until this has the focus. @throws Error with the way, when the page's end comes first
   * @returns what had the focus on the way
   */
  tabTo(what: RegExp): Promise<string[]>;
  press(keys: string): Promise<void>;
  type(text: string): Promise<void>;
  /** Waits until a live region has announced this, after what was waited for before. */
  hear(text: string | RegExp): Promise<void>;
  /** Keys that were pressed so far. */
  readonly keys: () => number;
}

/** So many stops has no page on the way to anything that a journey needs. */
const mostStops = 80;

/** States of which screen readers speak. */
const spokenStates = ['checked', 'pressed', 'expanded', 'invalid', 'disabled', 'selected'];

/** Makes one for a page that is not opened yet: announcements are collected from its beginning. */
export async function keyboardPerson(page: Page): Promise<KeyboardPerson> {
  await page.addInitScript(collectAnnouncements);
  const devtools = await page.context().newCDPSession(page);
  let keys = 0;
  let heard = 0;
  const focused = () => describeFocus(devtools);
  const press = async (key: string) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  return {
    focused,
    press,
    keys: () => keys,
    type: async (text) => {
      keys += text.length;
      await page.keyboard.type(text);
    },
    expectFocus: (what) => expect.poll(focused, eventually).toMatch(what),
    tabTo: async (what) => {
      const passed: string[] = [];
      for (let stops = 0; stops < mostStops; stops += 1) {
        await press('Tab');
        const now = await focused();
        if (what.test(now)) return passed;
        passed.push(now);
      }
      throw new Error(`Tab does not lead to ${what}: ${passed.join(' → ')}`);
    },
    hear: async (text) => {
      const find = (announced: string[]) =>
        announced.findIndex(
          (each, index) =>
            index >= heard && (typeof text === 'string' ? each.includes(text) : text.test(each)),
        );
      const read = () => page.evaluate<string[]>('announcements');
      await expect
        .poll(async () => find(await read()) >= 0 || (await read()).slice(heard), {
          ...eventually,
          message: `announces ${text}`,
        })
        .toBe(true);
      heard = find(await read()) + 1;
    },
  };
}

async function describeFocus(devtools: CDPSession): Promise<string> {
  const { result } = await devtools.send('Runtime.evaluate', { expression: 'document.activeElement' });
  const { nodes } = await devtools.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId!,
    fetchRelatives: false,
  });
  const [node] = nodes;
  const states = (node?.properties ?? []).flatMap(({ name, value }) =>
    spokenStates.includes(name) && value.value !== false && value.value !== 'false' ? [name] : [],
  );
  return [`${node?.role?.value} "${node?.name?.value ?? ''}"`, ...states].join(' ');
}

/** Without the focus a page has this: the next Tab begins at its top. */
export const lostFocus = /^(RootWebArea|generic|none)/;

/**
 * Collects what live regions announce: the new text of a region that was there before, and every alert that appears. A
 * region that appears with its text, and is no alert, is announced by few screen readers: it does not count.
 */
const collectAnnouncements = `{
  globalThis.announcements = [];
  const regions = '[aria-live=polite], [aria-live=assertive], [role=status], [role=alert], [role=log], output';
  const say = (region) => {
    const text = region.textContent.replace(/\\s+/g, ' ').trim();
    if (text !== '' && region.isConnected && region.checkVisibility()) announcements.push(text);
  };
  new MutationObserver((mutations) => {
    const changed = new Set();
    for (const { target, addedNodes } of mutations) {
      const element = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
      const region = element?.closest(regions);
      if (region) changed.add(region);
      for (const node of addedNodes) {
        if (node.nodeType !== Node.ELEMENT_NODE) continue;
        for (const alert of [node, ...node.querySelectorAll('[role=alert]')]) {
          if (alert.matches('[role=alert]')) changed.add(alert);
        }
      }
    }
    for (const region of changed) say(region);
  }).observe(document, { subtree: true, childList: true, characterData: true });
}`;
