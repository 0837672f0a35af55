/** An agency with 200 products and four marketplaces: from a folder of photos to the files of each. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { type ExportPresetId, exportPreset } from '#contract';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { createPerson } from '#tests/support/person.ts';
import { colouredPhoto } from '#tests/support/photos.ts';
import { openStudio } from '#tests/support/studio-page.ts';
import { temporaryFolder } from '#tests/support/test.ts';

const test = testWithStackAndBrowser().extend('folder', ({ stack }, { onCleanup }) =>
  temporaryFolder(stack, onCleanup),
);

const products = 200;
const presets: ExportPresetId[] = ['amazon-main', 'ebay', 'etsy', 'shopify'];
/** Each image takes one call, and each file for a marketplace half a second of a processor. */
const patiently = { timeout: limitMs(600_000), interval: 500 };
/** The same for the upload of all photos, and for the first file of the ZIP. */
const long = { timeout: patiently.timeout };

/** What `unzip` and ExifTool read, which share no code with Packshot. */
const run = promisify(execFile);

test('a folder of 200 photos becomes a batch in few clicks, is reviewed, and is one ZIP for four marketplaces', {
  timeout: limitMs(1_200_000),
}, async ({ stack, openWindow, folder }) => {
  const photos = join(folder, 'photos');
  await mkdir(photos);
  const sku = (index: number) => `SKU-${String(index + 1).padStart(3, '0')}`;
  for (let index = 0; index < products; index += 1) {
    const colour = `#${(0x20_40_60 + index * 0x01_00_03).toString(16).padStart(6, '0')}`;
    await writeFile(join(photos, `${sku(index)}.png`), await colouredPhoto(colour));
  }
  const { page, problems } = await openWindow();
  await openStudio(stack, page, { plan: 'enterprise' });
  const button = (name: string | RegExp) => page.getByRole('button', { name });

  const person = createPerson();
  await person.click(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Batch' }).first(),
  );
  await person.click(page.getByRole('link', { name: 'New batch' }).first());
  const chosen = page.waitForEvent('filechooser');
  await person.click(button('Choose a folder'));
  // The folder, and the dialog's button.
  person.elsewhere(2);
  await (await chosen).setFiles(photos);
  await page.getByText(`${products} of ${products} products are ready`).waitFor(long);
  await page.getByText(`${products} products, ${products} images.`).waitFor();
  await person.click(button('Next: scenes'));
  await person.type(page.getByLabel('Scene', { exact: true }), 'On an oak table in soft morning light');
  await person.click(button(`Use it for all ${products} products`));
  await page.getByText(`${products} of ${products} products are ready`).waitFor();
  await person.click(button('Next: check'));
  await person.click(button(/^Make 200 images/));
  await person.click(page.getByRole('dialog').getByRole('button', { name: 'Make 200 images', exact: true }));
  await page.getByText(/ of 200 images done/).waitFor(long);
  await page.getByRole('heading', { name: /^(In progress|Finished)$/ }).waitFor();
  person.print('200 photos in a folder to a running batch');
  expect(person.effort.clicks).toBeLessThanOrEqual(10);

  await expect.poll(() => page.getByText('200 of 200 images done').count(), patiently).toBe(1);
  await button('To review 200').click();
  await button('Approve these 200').click();
  await button('Approved 200').click();
  await page.getByText('Formats of marketplaces').click();
  const formats = page.getByRole('group', { name: 'Formats' });
  for (const preset of presets) await formats.getByLabel(exportPreset(preset).name, { exact: true }).check();
  await page.getByText('800 files.').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download', long),
    page.getByRole('link', { name: 'Download ZIP' }).click(),
  ]);
  const zip = join(folder, 'agency.zip');
  await download.saveAs(zip);

  await run('unzip', ['-tqq', zip]);
  const { stdout: listed } = await run('unzip', ['-Z1', zip]);
  const files = listed.trim().split('\n');
  const images = files.filter((name) => !/\.(csv|txt)$/i.test(name));
  expect(images).toHaveLength(products * presets.length);
  expect(new Set(images.map((name) => name.toLowerCase())).size).toBe(images.length);
  const unpacked = join(folder, 'unpacked');
  await run('unzip', ['-qq', zip, '-d', unpacked]);
  const { stdout } = await run(
    'exiftool',
    ['-json', '-r', '-FileType', '-ImageWidth', '-ImageHeight', '-DigitalSourceType', unpacked],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  const read = JSON.parse(stdout) as {
    SourceFile: string;
    FileType: string;
    ImageWidth: number;
    ImageHeight: number;
    DigitalSourceType: string;
  }[];
  for (const preset of presets) {
    const inFolder = read.filter(({ SourceFile }) => SourceFile.split('/').at(-2) === preset);
    expect(
      inFolder.map(({ SourceFile }) => SourceFile.split('/').at(-1)!.slice(0, 7)).toSorted(),
      preset,
    ).toEqual(Array.from({ length: products }, (_, index) => sku(index)));
    const { format, rules } = exportPreset(preset);
    const longest = rules.find((rule) => rule.kind === 'longest-side' && !rule.advised);
    for (const file of inFolder) {
      if (format) expect(file.FileType, file.SourceFile).toBe(format.toUpperCase());
      expect(file.DigitalSourceType, file.SourceFile).toMatch(
        /^http:\/\/cv\.iptc\.org\/newscodes\/digitalsourcetype\/\w+/,
      );
      if (longest?.kind === 'longest-side')
        expect(Math.max(file.ImageWidth, file.ImageHeight)).toBeGreaterThanOrEqual(longest.least);
    }
  }
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
