/** Somebody with one product and a phone: from the landing page to the first image of it. In any browser. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { mailedLink } from './account-steps.ts';
import { see } from './page-steps.ts';
import { createPerson, type Person } from './person.ts';
import { testPassword } from './seller.ts';
import type { TestStack } from './stack.ts';
import { mug, picker } from './studio-page.ts';

/** A phone's window: of a browser of Playwright, or of WebKitGTK. Everything is waited for. */
export interface PhoneWindow {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  /** @param name how the name begins; that of a checkbox does not count: there is one */
  tap(kind: 'button' | 'link' | 'checkbox', name: string): Promise<void>;
  type(label: string, text: string): Promise<void>;
  /** Chooses a photo in the dialog that the studio's button opens. */
  choosePhoto(path: string): Promise<void>;
  see(text: string): Promise<void>;
  /** Taps the link of this name. @returns the name and the bytes of the file that is saved */
  download(link: string): Promise<{ name: string; bytes: Buffer }>;
}

/** Counts what is done in the window. */
function watched(window: PhoneWindow, person: Person): PhoneWindow {
  return {
    ...window,
    tap: (kind, name) => {
      person.count(0);
      return window.tap(kind, name);
    },
    type: (label, text) => {
      person.count(text.length);
      return window.type(label, text);
    },
    choosePhoto: (path) => {
      person.count(0);
      // The photo, and the dialog's button.
      person.elsewhere(2);
      return window.choosePhoto(path);
    },
  };
}

/** The size of a phone, in pixels. */
export const phoneSize = { width: 390, height: 844 };

/** A window of Playwright as a phone. @param hasTouch whether the browser can be touched: Firefox cannot be by WebDriver BiDi */
export function phoneOf(page: Page, hasTouch: boolean): PhoneWindow {
  const point = (target: Locator) => (hasTouch ? target.tap() : target.click());
  const named = (kind: 'button' | 'link' | 'checkbox', name: string) =>
    kind === 'checkbox'
      ? page.getByRole(kind)
      : page.getByRole(kind, { name: new RegExp(`^${name}`) }).first();
  return {
    goto: (url) => page.goto(url),
    reload: () => page.reload(),
    tap: (kind, name) => point(named(kind, name)),
    type: (label, text) => page.getByLabel(label, { exact: true }).fill(text),
    choosePhoto: async (path) => {
      if (!hasTouch) return picker(page).setInputFiles(path);
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        point(named('button', 'Upload product images')),
      ]);
      await chooser.setFiles(path);
    },
    see: (text) => see(page, text),
    download: async (link) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        point(page.getByRole('link', { name: link, exact: true })),
      ]);
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
    },
  };
}

/** Goes the whole way. The image is held until the test releases it, and appears by itself. */
export async function makeFirstImage(stack: TestStack, phone: PhoneWindow): Promise<void> {
  // As long as many people's addresses are.
  const email = `ana-${randomBytes(4).toString('hex')}@shop.example`;
  await phone.goto(`${stack.url}/`);
  const person = createPerson();
  const { tap, type, choosePhoto, see: seen } = watched(phone, person);
  await tap('link', 'Get started');
  await type('Full name', 'Ana Müller');
  await type('Email', email);
  await type('Password', testPassword);
  await type('Confirm password', testPassword);
  await tap('checkbox', 'I accept the');
  await tap('button', 'Create Secure Account');
  await seen('Check your email');
  // The mail program, the mail, and its link.
  person.elsewhere(3);
  await phone.goto(await mailedLink(stack, 'verifyEmail', email, 'Confirm your email'));
  await tap('button', 'Confirm and open your studio');
  await seen('3 of 3 free images left');
  await choosePhoto(mug);
  await tap('button', 'Product on Wooden Table');
  await seen('Ready to Generate');
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  await tap('button', 'Generate Image');
  await stack.images.waitFor({ waiting: 1 });
  await seen('2 of 3 free images left');
  await stack.images.release();
  const { name, bytes } = await phone.download('Download');
  person.print('From the landing page to the first own image');
  expect(name).toMatch(/^Mug-1-\d{4}-\d{2}-\d{2}\.png$/);
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1_024, height: 1_024 });

  await phone.reload();
  await seen('Images of this product');
  await tap('link', 'See all');
  await tap('link', 'Mug 1');
  await seen('Images of this product');
}
