/** Photos on other people's devices: files that change after they were chosen, and browsers that cannot check a photo. */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { expect, onTestFinished } from 'vitest';
import { paths, photoWarningTexts } from '#contract';
import { openAs } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import {
  cup,
  description,
  expectRestored,
  fillInStudio,
  generate,
  mug,
  openStudio,
  picker,
  removeButtons,
  untilStored,
} from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();

test('a photo that changes, or is deleted, after it was chosen is sent as it was', async ({
  stack,
  openWindow,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-phone-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [changed, deleted] = [join(folder, 'changed.png'), join(folder, 'deleted.png')];
  await copyFile(cup, changed);
  await copyFile(cup, deleted);
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  await picker(page).setInputFiles([changed, deleted]);
  await expect.poll(() => removeButtons(page).count(), eventually).toBe(2);
  await writeFile(changed, 'another file');
  await rm(deleted);
  await description(page).fill('On oak');
  await generate(page);
  await page.getByRole('link', { name: 'Download' }).waitFor();
  expect(problems).toEqual([]);
});

test('a phone takes a photo with its camera, also beside the first one; where there is a mouse, nothing offers that', async ({
  stack,
  openWindow,
}) => {
  const phone = await openWindow({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const seller = await openStudio(stack, phone.page);
  const camera = phone.page.getByLabel('Take a photo');
  expect(await camera.getAttribute('capture')).toBe('environment');
  await phone.page.getByText('Take a photo').waitFor();
  expect(await layoutProblems(phone.page, 'a phone with a camera')).toEqual([]);
  await phone.page.setViewportSize({ width: 390, height: 844 });
  await camera.setInputFiles(cup);
  await expect.poll(() => removeButtons(phone.page).count(), eventually).toBe(1);
  await camera.setInputFiles(mug);
  await expect.poll(() => removeButtons(phone.page).count(), eventually).toBe(2);

  const desk = await openWindow();
  await openAs(stack, desk.page, seller, '/dashboard');
  await desk.page.getByRole('button', { name: 'Upload product images' }).waitFor();
  expect(await desk.page.getByText('Take a photo').isVisible()).toBe(false);
  expect([...phone.problems, ...desk.problems]).toEqual([]);
});

test('without a connection, the product is not said to be unfit; that is asked when the connection is back', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow();
  await openStudio(stack, page);
  // What a visit loads with its first photo.
  await picker(page).setInputFiles(cup);
  await page.getByRole('region', { name: 'Scenes' }).waitFor();
  await page.getByText('Cutting out your product…').waitFor({ state: 'detached' });
  await page.context().setOffline(true);
  await removeButtons(page).first().click();
  await picker(page).setInputFiles(mug);
  await page.getByText('Your product is not cut out: we could not be reached.').waitFor();
  await page.context().setOffline(false);
  await page.getByText(/Sketches with your cut-out|yours could not be cut out of its photo/).waitFor();
});

test('the product appears as its cutout before it is known whether a hand holds it', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  const cutout = (await sharp(cup).resize(200).webp().toBuffer()).toString('base64');
  const asked: object[] = [];
  let answerHands = () => {};
  await page.route(`**${paths.photoChecks}`, async (route) => {
    const { photo: _, ...questions } = route.request().postDataJSON() as { photo: string };
    asked.push(questions);
    if ('cutout' in questions) return route.fulfill({ json: { checked: true, warnings: [], cutout } });
    await new Promise<void>((resolve) => {
      answerHands = resolve;
    });
    await route.fulfill({ json: { checked: true, warnings: ['held'], cutout: null } });
  });
  await openStudio(stack, page);
  await picker(page).setInputFiles(cup);
  await page.getByText(/Sketches with your cut-out/).waitFor(eventually);
  await expect.poll(() => asked, eventually).toEqual([{ cutout: true, hands: false }, {}]);
  const warning = page.getByText(photoWarningTexts.held);
  expect(await warning.count()).toBe(0);
  answerHands();
  await warning.first().waitFor(eventually);
  expect(problems).toEqual([]);
});

test('a photo that cannot be read says so at once, with its name; an empty one as well', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow();
  await page.addInitScript(`{
    const { arrayBuffer } = Blob.prototype;
    File.prototype.arrayBuffer = function () {
      return this.name === 'in the cloud.png' ? Promise.reject(new DOMException('', 'NotReadableError')) : arrayBuffer.call(this);
    };
  }`);
  await openStudio(stack, page);
  const file = (name: string, content: string) => ({
    name,
    mimeType: 'image/png',
    buffer: Buffer.from(content),
  });
  await picker(page).setInputFiles([file('in the cloud.png', 'somewhere'), file('empty.png', '')]);
  await page.getByText("We couldn't read “in the cloud.png”. Please choose it again.").waitFor();
  await page.getByText('“empty.png” is empty').waitFor();
  expect(await removeButtons(page).count()).toBe(0);
});

test('a photo comes back from a browser that gives back an empty body for a stored file', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow();
  await page.addInitScript(`{
    const result = Object.getOwnPropertyDescriptor(IDBRequest.prototype, 'result');
    Object.defineProperty(IDBRequest.prototype, 'result', {
      get() {
        const value = result.get.call(this);
        return value instanceof File ? new File([], value.name, { type: value.type }) : value;
      },
    });
  }`);
  await openStudio(stack, page);
  await fillInStudio(page, 'On sand');
  await untilStored(page, { prompt: 'On sand' });
  await page.reload();
  await expectRestored(page, 'On sand');
  await generate(page);
  await page.getByRole('link', { name: 'Download' }).waitFor();
});

/** A photo of noise, so that it has more than 6 MB in each format. */
function largePhoto(channels: 3 | 4): Sharp {
  let state = 1;
  const noise = Uint8Array.from({ length: 2_400 * 1_920 * channels }, () => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223;
    return state >>> 24;
  });
  return sharp(noise, { raw: { width: 2_400, height: 1_920, channels } });
}

const largePhotos = [
  ['large.jpg', () => largePhoto(3).withMetadata({ orientation: 6 }).jpeg({ quality: 100 }), [1_638, 2_048]],
  ['transparent.png', () => largePhoto(4).png({ compressionLevel: 1 }), [2_048, 1_638]],
] as const;

test.for(largePhotos)(
  'a large photo is scaled before it is sent, upright; the server keeps the same size of it: %s',
  async ([name, make, size], { stack, openWindow }) => {
    const photo = await make().toBuffer();
    expect(photo.length).toBeGreaterThan(6 * 1024 * 1024);
    const { page } = await openWindow();
    const seller = await openStudio(stack, page);
    await page.evaluate(`{
    const { send } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.send = function (body) {
      if (body instanceof FormData) globalThis.sentBytes = body.get('images').size;
      return send.call(this, body);
    };
  }`);
    await picker(page).setInputFiles({ name, mimeType: `image/${name.split('.')[1]}`, buffer: photo });
    await removeButtons(page).waitFor();
    await description(page).fill('On oak');
    await generate(page);
    await page.getByRole('link', { name: 'Download' }).waitFor();
    expect(await page.evaluate<number>('globalThis.sentBytes')).toBeLessThan(photo.length);
    const [view] = await seller.generations();
    const reply = await fetch(stack.url + view!.photos[0]!.url, {
      headers: { authorization: `Bearer ${seller.token}` },
    });
    const stored = await sharp(Buffer.from(await reply.arrayBuffer())).metadata();
    expect([stored.width, stored.height]).toEqual(size);
    expect(stored.hasAlpha).toBe(name === 'transparent.png');
  },
);

const unable = {
  'gives no canvas': 'HTMLCanvasElement.prototype.getContext = () => null;',
  'refuses to give back pixels':
    "CanvasRenderingContext2D.prototype.getImageData = () => { throw new DOMException('', 'SecurityError'); };",
  'gives back noise': `CanvasRenderingContext2D.prototype.getImageData = (x, y, width, height) => {
    const data = Uint8ClampedArray.from({ length: width * height * 4 }, () => Math.random() * 40);
    return new ImageData(data, width, height);
  };`,
  'opens no photo':
    "HTMLImageElement.prototype.decode = () => Promise.reject(new DOMException('', 'EncodingError'));",
};

for (const [what, script] of Object.entries(unable)) {
  test(`a browser that ${what} calls no photo damaged or bad: the server judges it`, async ({
    stack,
    openWindow,
  }) => {
    const { page } = await openWindow();
    await page.addInitScript(script);
    await openStudio(stack, page);
    await fillInStudio(page, 'On oak');
    await removeButtons(page).waitFor();
    await generate(page);
    await page.getByRole('link', { name: 'Download' }).waitFor();
    expect(await page.getByText(/damaged|gives a better image/).count()).toBe(0);
  });
}

test('a browser that never finishes opening a photo does not hold it back', async ({ stack, openWindow }) => {
  const { page } = await openWindow();
  await page.addInitScript('HTMLImageElement.prototype.decode = () => new Promise(() => {});');
  await page.clock.install();
  await openStudio(stack, page);
  await picker(page).setInputFiles(cup);
  await expect
    .poll(async () => {
      await page.clock.runFor(1_000);
      return removeButtons(page).count();
    }, eventually)
    .toBe(1);
});

test('where the browser gives noise for pixels, the editor says why it shows no picture', async ({
  finishedImage,
  openWindow,
  stack,
}) => {
  const { id, seller } = await finishedImage();
  const { page } = await openWindow();
  await page.addInitScript(unable['gives back noise']);
  await openAs(stack, page, seller, `/dashboard?generation=${id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByText("Your browser's privacy settings keep us from showing the image here.").waitFor();
});
