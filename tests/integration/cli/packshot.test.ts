/** The command `packshot` against a stack: what it makes, what that uses, and how it ends. */
import { randomUUID } from 'node:crypto';
import { chmod, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Papa from 'papaparse';
import sharp from 'sharp';
import { expect } from 'vitest';
import { limits } from '#contract';
import { giveKey } from '#tests/support/api-keys.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { packshot, startPackshot, type Typist } from '#tests/support/packshot-command.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import { samplePhotoFile } from '#tests/support/sample-photo.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { temporaryFolder, testWithStack } from '#tests/support/test.ts';

const test = testWithStack()
  .extend('folder', { scope: 'file' }, ({ stack }, { onCleanup }) => temporaryFolder(stack, onCleanup))
  .extend('person', async ({ stack, folder }) => personAt(stack, join(folder, randomUUID())));
test.afterEach(({ stack }) => stack.images.reset());

/** A seller with a key, in a folder with a photo. */
async function personAt(stack: TestStack, folder: string): Promise<Typist & { seller: Seller }> {
  await mkdir(folder);
  await cp(samplePhotoFile, join(folder, 'coffee-cup-1.png'));
  const seller = await stack.seller();
  return { seller, folder, url: stack.url, key: await giveKey(stack, seller) };
}

const left = async (seller: Seller) => {
  const { generationsLeft, generationsHeld } = (await seller.me()).subscription;
  return [generationsLeft, generationsHeld];
};

test('generate makes images, writes their files and says the same as JSON', async ({ stack, person }) => {
  const scene = ['--scene', 'On an oak table'];
  const made = await packshot(person, 'generate', 'coffee-cup-1.png', ...scene, '--out', 'cup.png');
  expect(made.stdout).toContain(
    `${join(person.folder, 'cup.png')}: ${limits.outputWidth} × ${limits.outputHeight}`,
  );
  expect(made.stderr).toMatch(/^at most 1 image; 100 left\n[\s\S]*the image is ready/);
  expect(made.status).toBe(0);
  expect(await sharp(join(person.folder, 'cup.png')).metadata()).toMatchObject({
    format: 'png',
    width: limits.outputWidth,
  });
  expect(await left(person.seller)).toEqual([99, 0]);

  const two = await packshot(
    person,
    'generate',
    'coffee-cup-1.png',
    ...scene,
    '--n',
    '2',
    '--size',
    'landscape',
    '--sku',
    'CUP-1',
    '--export',
    'amazon-main',
    '--json',
  );
  expect(two.status).toBe(0);
  const { images } = JSON.parse(two.stdout);
  expect(images).toMatchObject([
    { productName: 'coffee cup', sku: 'CUP-1', state: 'succeeded', image: { width: 1_536, height: 1_024 } },
    { set: { index: 1, size: 2 } },
  ]);
  for (const { file, exports } of images) {
    expect((await sharp(file).metadata()).width).toBe(1_536);
    expect(exports).toMatchObject([
      { preset: 'amazon-main', file: file.replace('.png', '-amazon-main.jpg') },
    ]);
    expect((await sharp(exports[0].file).metadata()).format).toBe('jpeg');
  }
  expect(await left(person.seller)).toEqual([97, 0]);
  expect((await packshot(person, 'balance')).stdout).toMatch(/^97 images left, plan freelance\n/);
  expect((await packshot(person, 'list', '--n', '2')).stdout).toMatch(
    /^(\w{24} {2}coffee cup: the image is ready\n){2}$/,
  );
  // A key that may not read the balance makes images all the same.
  const scopes = ['generations:read', 'generations:write'] as const;
  const key = await giveKey(stack, person.seller, { scopes: [...scopes] });
  const again = await packshot({ ...person, key }, 'generate', 'coffee-cup-1.png', ...scene);
  expect(again).toMatchObject({ status: 0, stderr: expect.stringMatching(/^at most 1 image\n/) });
});

test('the same idempotency key gives the same image again, which is not counted again', async ({
  person,
}) => {
  const words = [
    'generate',
    'coffee-cup-1.png',
    '--scene',
    'On slate',
    '--idempotency-key',
    'cup-1',
    '--json',
  ];
  const [first, second] = [await packshot(person, ...words), await packshot(person, ...words)];
  const idOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout).images[0].id;
  expect(idOf(second)).toBe(idOf(first));
  expect(await left(person.seller)).toEqual([99, 0]);
});

test('it ends by what was wrong: the line, a setting, the key, the image, the connection', async ({
  person,
  stack,
}) => {
  const generate = ['generate', 'coffee-cup-1.png', '--scene', 'On slate'];
  const ends = async (typist: Typist, words: string[], status: number, line: RegExp) => {
    const { stdout, ...ended } = await packshot(typist, ...words);
    expect({ words, ...ended }).toEqual({ words, status, stderr: expect.stringMatching(line) });
    return stdout;
  };
  await ends(person, ['make'], 1, /^packshot: there is no command make/);
  await ends(
    person,
    ['generate', 'cup.png', '--scene', 'On slate'],
    1,
    /^packshot: there is no photo cup.png\n$/,
  );
  await ends(person, ['generate', 'coffee-cup-1.png'], 1, /^packshot: --scene must say/);
  await ends(person, [...generate, '--out', 'none/cup.png'], 1, /^packshot: there is no folder /);
  await ends(person, [...generate, '--export', 'amazon'], 1, /there is no preset amazon: .*amazon-main, /);
  await ends({ ...person, key: '' }, generate, 1, /^packshot: set a key \(PACKSHOT_KEY\)/);
  await ends({ ...person, url: 'packshot.example' }, generate, 1, /starts with https/);
  await ends({ ...person, key: 'pk_live_no' }, generate, 2, /API key/);
  const reading = await giveKey(stack, person.seller, { scopes: ['generations:read'] });
  await ends({ ...person, key: reading }, generate, 2, /^packshot: This API key has no scope /m);
  await stack.images.set({ behaviours: [contentRefused] });
  expect(await ends(person, generate, 3, /failed: /)).not.toBe('');
  expect(await left(person.seller)).toEqual([100, 0]);
});

test('a connection that fails is tried again, then said', async ({ person }) => {
  const { status, stderr } = await packshot({ ...person, url: 'http://127.0.0.1:9' }, 'balance');
  expect({ status, stderr }).toEqual({
    status: 4,
    stderr: expect.stringMatching(/^packshot: There is no answer/),
  });
});

test('the settings can be in a file, which nobody else may read', async ({ person }) => {
  const { folder, url, key } = person;
  const file = join(folder, 'packshot', 'config.json');
  await mkdir(join(folder, 'packshot'));
  await writeFile(file, JSON.stringify({ url, key }), { mode: 0o600 });
  expect((await packshot({ folder }, 'balance', '--json')).stdout).toContain('"left": 100');
  await chmod(file, 0o644);
  expect(await packshot({ folder }, 'balance')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`chmod 600`),
  });
});

test('Ctrl-C cancels what is being made, and uses nothing', async ({ person, stack }) => {
  await stack.images.set({ default: { kind: 'hold' } });
  const run = startPackshot(person, 'generate', 'coffee-cup-1.png', '--scene', 'On slate', '--n', '2');
  await stack.images.waitFor({ waiting: 1 });
  run.kill('SIGINT');
  expect(await run.ended).toMatchObject({
    status: 130,
    stderr: expect.stringMatching(/packshot: interrupted: cancelled, no image was used\n$/),
  });
  await expect
    .poll(async () => (await person.seller.generations()).map(({ state }) => state), eventually)
    .toEqual(['cancelled', 'cancelled']);
  expect(await left(person.seller)).toEqual([100, 0]);
});

/** Writes a table of products with a photo each. @returns its name */
async function writeTable(folder: string, count: number): Promise<string> {
  await mkdir(join(folder, 'photos'));
  const photo = await sharp(samplePhotoFile).resize(400).png().toBuffer();
  const rows = Array.from({ length: count }, (_, index) => ({
    sku: `SKU-${index + 1}`,
    'Product name': `Cup ${index + 1}`,
    Photos: `CUP-${index + 1}.png`,
    scene: index === 0 ? 'On marble' : '',
  }));
  // Each is a photo of its own.
  for (const [index] of rows.entries()) {
    await writeFile(
      join(folder, 'photos', `cup-${index + 1}.png`),
      Buffer.concat([photo, Buffer.from([index])]),
    );
  }
  await writeFile(join(folder, 'products.csv'), `\ufeff${Papa.unparse(rows)}`);
  return 'products.csv';
}

const reportIn = async (folder: string) => {
  const text = await readFile(join(folder, 'packshot', 'report.csv'), 'utf8');
  return Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data;
};

test('batch makes a table of products, once however often it is typed, also after it was killed', async ({
  person,
  stack,
}) => {
  const { folder, seller } = person;
  const table = await writeTable(folder, 12);
  const words = ['batch', table, 'photos', '--scene', 'On an oak table', '--export', 'amazon-main'];
  const asked = await packshot(person, ...words);
  expect(asked).toMatchObject({ status: 2, stderr: expect.stringContaining('agree with --max-images 12') });
  expect(await packshot(person, ...words, '--max-images', '11')).toMatchObject({ status: 2 });
  expect(await left(seller)).toEqual([100, 0]);

  await stack.images.set({ default: { kind: 'hold' } });
  const killed = startPackshot(person, ...words, '--max-images', '12');
  await stack.images.waitFor({ waiting: 1 });
  killed.kill('SIGKILL');
  await killed.ended;
  await stack.images.reset();

  const made = await packshot(person, ...words, '--max-images', '12');
  expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(/^12 of 12 images in /) });
  const generations = await seller.generations();
  expect(generations).toHaveLength(12);
  expect(generations.map(({ prompt }) => prompt).filter((prompt) => prompt === 'On marble')).toHaveLength(1);
  expect(await left(seller)).toEqual([88, 0]);
  const files = (await readdir(join(folder, 'packshot'))).filter((name) => name.endsWith('.png'));
  const exported = (await readdir(join(folder, 'packshot'))).filter((name) =>
    /-amazon-main\.jpg$/.test(name),
  );
  expect(exported).toHaveLength(12);
  expect(files.toSorted()).toEqual(
    Array.from({ length: 12 }, (_, index) => `SKU-${index + 1}.png`).toSorted(),
  );
  expect(await reportIn(folder)).toHaveLength(12);

  expect((await packshot(person, ...words, '--max-images', '12')).status).toBe(0);
  expect(await left(seller)).toEqual([88, 0]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('batch goes on where products failed, and says what is wrong in a table before anything is made', async ({
  person,
  stack,
}) => {
  const { folder, seller } = person;
  const table = await writeTable(folder, 3);
  const words = ['batch', table, 'photos', '--scene', 'On an oak table', '--max-images', '3'];
  await stack.images.set({ behaviours: [contentRefused] });
  const first = await packshot(person, ...words);
  expect(first).toMatchObject({
    status: 3,
    stdout: expect.stringMatching(/^line \d: .*\n2 of 3 images in /),
  });
  expect((await reportIn(folder)).map(({ problem }) => problem).filter(Boolean)).toHaveLength(1);
  expect((await packshot(person, ...words)).status).toBe(0);
  expect(await left(seller)).toEqual([97, 0]);

  await writeFile(
    join(folder, 'wrong.csv'),
    'sku,photos,scene,images\nA,none.png,On slate,1\nB,cup-1.png,,9\n',
  );
  expect(await packshot(person, 'batch', 'wrong.csv', 'photos', '--max-images', '10')).toMatchObject({
    status: 1,
    stderr: [
      'packshot: nothing was made:',
      `  line 2: there is no photo none.png in ${join(folder, 'photos')}`,
      '  line 3: there is no scene: name one in the table, or with --scene',
      '  line 3: images must be 1 to 4',
      '',
    ].join('\n'),
  });
});

test('watch prints each change until it is stopped, and nothing of what had ended before', async ({
  person,
  stack,
}) => {
  await insertImage(stack, person.seller);
  await stack.images.set({ default: { kind: 'hold' } });
  const { id } = await person.seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  const watching = startPackshot(person, 'watch');
  const lines = () => watching.printed().split('\n').slice(0, -1);
  await expect
    .poll(lines, eventually)
    .toEqual([expect.stringMatching(new RegExp(`^${id}  .*: sending the photos`))]);
  await stack.images.release();
  await expect.poll(() => lines().at(-1), eventually).toMatch(new RegExp(`^${id}  .*: the image is ready$`));
  watching.kill('SIGINT');
  expect(await watching.ended).toMatchObject({ status: 0, stderr: '' });
  expect(lines().filter((line) => !line.startsWith(`${id}  `))).toEqual([]);
  // No line twice.
  expect(new Set(lines()).size).toBe(lines().length);
});
