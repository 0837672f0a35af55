/** The examples of the guide to API keys, run as they are written there. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, expect } from 'vitest';
import { limits, paths } from '#contract';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { call } from '#tests/support/account.ts';
import { giveKey } from '#tests/support/api-keys.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { startStrangerServer } from '#tests/support/stranger-server.ts';
import { testWithStack } from '#tests/support/test.ts';

const photo = await samplePhoto();
const stranger = await startStrangerServer({ '/mug.jpg': ['image/png', photo] });
afterAll(() => stranger.close());

const test = testWithStack({ server: { outbound: stranger.outbound() } });
const run = promisify(execFile);

/** Whether this machine has the programs that the guide uses. */
function hasPrograms(): boolean {
  try {
    execFileSync('bash', ['-c', 'command -v curl jq python3'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const readGuide = (slug: string) => readFile(join(rootFolder, `web/src/content/guides/${slug}.md`), 'utf8');
/** The second one goes on where the first one ends. */
const guide = `${await readGuide('first-image-with-the-api')}\n${await readGuide('more-with-the-api')}`;

/** An address as long as a signed one of S3. */
const address = `${stranger.url('/mug.jpg')}?X-Amz-Signature=`.padEnd(1_500, '0');

/** The examples in a language, with an address, a key and a photo that exist. */
function examplesIn(language: 'sh' | 'js' | 'py', url: string, key: string): string[] {
  const blocks = [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, block]) => block!,
  );
  expect(blocks).toHaveLength(guide.split(`\`\`\`${language}\n`).length - 1);
  return blocks.map((block) =>
    block
      .replaceAll('https://packshot.example', url)
      .replaceAll('pk_live_your_key', key)
      .replaceAll('https://photos.shop.example/mug.jpg', address),
  );
}

test.skipIf(!hasPrograms())('an image comes from curl, from Node and from Python', async ({ stack }) => {
  const seller = await stack.seller();
  await call(seller, 'POST', paths.looks, { name: 'Slate', scene: 'On dark slate' });
  const key = await giveKey(stack, seller);
  const folder = await mkdtemp(join(tmpdir(), 'packshot-guide-'));
  const env = { ...childEnvironment({}), PACKSHOT: stack.url, PACKSHOT_KEY: key };
  const sizeOf = async (name: string) => {
    const { format, width, height } = await sharp(join(folder, name)).metadata();
    return [format, width, height];
  };
  const image = ['png', limits.outputWidth, limits.outputHeight];
  try {
    await writeFile(join(folder, 'mug.jpg'), photo);
    const script = `set -euo pipefail\n${examplesIn('sh', stack.url, key).join('\n')}`;
    const { stdout } = await run('bash', ['-c', script], { cwd: folder });
    expect(stdout).toContain('succeeded\n');
    const [, estimate, balance] = /^(\{"dryRun".*?\})(\{"plan"[^}]*\})/m.exec(stdout)!;
    expect(JSON.parse(estimate!)).toMatchObject({ images: 4, refusal: null });
    expect(JSON.parse(balance!)).toMatchObject({ left: 99, onHold: 0 });
    const files = await readdir(folder);
    const named = files.find((name) => /^Walnut-mug-\d{4}-\d{2}-\d{2}\.png$/.test(name));
    expect(await sizeOf(named!)).toEqual(image);

    expect(stdout).toContain('0: succeeded\n');
    expect(stdout).toMatch(/Background: .+; needed: 100 % pure white$/m);
    const exported = files.find((name) => /^Walnut-mug-amazon-main-\d{4}-\d{2}-\d{2}\.jpg$/.test(name));
    expect((await sizeOf(exported!))[0]).toBe('jpeg');
    const zip = unzipSync(await readFile(join(folder, 'images.zip')));
    expect(Object.keys(zip).map((name) => name.split('-')[2])).toEqual(['ebay', 'etsy']);
    expect(stdout).toContain('\n512 × 512\n');
    expect(stdout).toContain('\nOn dark slate: succeeded\n');
    expect(stdout).toContain('\namazon-main: Amazon main image\n');
    expect(stdout).toContain('\n0\n{"name":"Slate","request":{');
    expect(stdout).toContain('\nWalnut mug, dark\nsucceeded\n');

    expect(stdout).toContain('\n3 rows\n');
    const made = ['MUG-001', 'MUG-002', 'MUG-003'].map((sku) => `${sku}: succeeded\n`).join('');
    expect(stdout).toContain(`running\n${made}0 images\nended\n`);
    expect((await readFile(join(folder, 'report.csv'), 'utf8')).trim().split('\n')).toHaveLength(4);
    const approved = unzipSync(await readFile(join(folder, 'autumn.zip')));
    expect(Object.keys(approved).toSorted()).toEqual(['MUG-001-1-amazon-main.jpg', 'MUG-001-1-ebay.jpg']);
    expect(await readFile(join(folder, 'products.csv'), 'utf8')).toContain(
      'https://shop.example/files/MUG-001-1.png',
    );

    const [node] = examplesIn('js', stack.url, key);
    await writeFile(join(folder, 'first-image.mjs'), node!);
    await run(process.execPath, ['first-image.mjs'], { cwd: folder, env });
    expect(await sizeOf('mug-node.png')).toEqual(image);

    const [python] = examplesIn('py', stack.url, key);
    await writeFile(join(folder, 'first_image.py'), python!);
    await run('python3', ['first_image.py'], { cwd: folder, env });
    expect(await sizeOf('mug-python.png')).toEqual(image);

    expect((await seller.generations()).map(({ state }) => state)).toEqual(Array(8).fill('succeeded'));

    // Who is refused is told why, in each of them.
    await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { generations_left: 0 } });
    const why = expect.stringContaining('You have no images left.');
    const [login, create] = examplesIn('sh', stack.url, key);
    const again = create!.replace('mug-1-image-1', 'mug-1-image-2');
    const shell = `set -uo pipefail\n${login}\n${again}\necho "ID is '$ID'"`;
    expect(await run('bash', ['-c', shell], { cwd: folder })).toEqual({ stdout: "ID is ''\n", stderr: why });
    const refused = { code: 1, stderr: why };
    const inNode = run(process.execPath, ['first-image.mjs'], { cwd: folder, env });
    await expect(inNode).rejects.toMatchObject(refused);
    await expect(run('python3', ['first_image.py'], { cwd: folder, env })).rejects.toMatchObject(refused);
    expect(await seller.generations()).toHaveLength(8);
  } finally {
    await rm(folder, { recursive: true });
  }
});
