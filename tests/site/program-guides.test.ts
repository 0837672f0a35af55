/** The examples of the guides to going live and to the command `packshot`, run as they are written there. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import Papa from 'papaparse';
import sharp from 'sharp';
import { afterAll, expect } from 'vitest';
import { limits } from '#contract';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { giveKey } from '#tests/support/api-keys.ts';
import { limitMs } from '#tests/support/machine.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { samplePhotoFile } from '#tests/support/sample-photo.ts';
import { startStrangerServer } from '#tests/support/stranger-server.ts';
import { temporaryFolder, testWithStack } from '#tests/support/test.ts';

const stranger = await startStrangerServer({ '/mug.jpg': ['image/png', await samplePhoto()] });
afterAll(() => stranger.close());

const run = promisify(execFile);
const hasPrograms = await run('bash', ['-c', 'command -v curl jq python3']).then(
  () => true,
  () => false,
);

const test = testWithStack({ server: { outbound: stranger.outbound() } })
  .extend('folder', ({ stack }, { onCleanup }) => temporaryFolder(stack, onCleanup))
  .extend('seller', ({ stack }) => stack.seller())
  .extend('key', ({ stack, seller }) => giveKey(stack, seller));

/** The examples of a guide in a language, with an address, a key and a photo that exist. */
async function examplesIn(slug: string, language: string, url: string, key: string): Promise<string[]> {
  const guide = await readFile(join(rootFolder, `web/src/content/guides/${slug}.md`), 'utf8');
  const blocks = [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
  expect(blocks).toHaveLength(guide.split(`\`\`\`${language}\n`).length - 1);
  return blocks.map(([, block]) =>
    block!
      .replaceAll('https://packshot.example', url)
      .replaceAll('pk_live_your_key', key)
      .replaceAll('https://photos.shop.example/mug.jpg', stranger.url('/mug.jpg')),
  );
}

const bash = (script: string, cwd: string, env: NodeJS.ProcessEnv) =>
  run('bash', ['-c', `set -euo pipefail\n${script}`], { cwd, env });

test.skipIf(!hasPrograms)(
  'going live: a repeated request makes nothing more, and what can be repeated is',
  async ({ stack, seller, key, folder }) => {
    const env = { ...childEnvironment({}), PACKSHOT: stack.url, PACKSHOT_KEY: key };
    const guide = (language: string) => examplesIn('going-live-with-the-api', language, stack.url, key);
    const [twice, usage] = await guide('sh');
    const { stdout } = await bash(twice!, folder, env);
    const [first, second, ...others] = stdout.trim().split('\n');
    expect([second, others]).toEqual([first, []]);
    const window = await seller.openWindow();
    await window.untilEnded(first!);
    window.close();
    expect((await seller.generations()).map(({ id }) => id)).toEqual([first]);
    expect((await bash(usage!, folder, env)).stdout).toBe('Shop import: 1\n');

    const [retry] = await guide('js');
    await writeFile(join(folder, 'packshot.mjs'), retry!);
    const node = (address: string) =>
      run(process.execPath, ['packshot.mjs'], { cwd: folder, env: { ...env, PACKSHOT: address } });
    expect((await node(stack.url)).stdout).toBe('99 images left\n');
    // It waits as long as it is told to, and does not repeat what would be the same again.
    const answers = [429, 503, 200, 403];
    const asked: number[] = [];
    const server = createServer((_request, response) => {
      const status = answers[asked.length]!;
      asked.push(status);
      response.writeHead(status, { 'retry-after': '0', 'content-type': 'application/json' });
      response.end(
        JSON.stringify(status === 200 ? { left: 7 } : { error: { message: 'Not with this key.' } }),
      );
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      expect((await node(address)).stdout).toBe('7 images left\n');
      await expect(node(address)).rejects.toMatchObject({
        stderr: expect.stringContaining('Not with this key.'),
      });
      expect(asked).toEqual([429, 503, 200, 403]);
    } finally {
      server.close();
    }
  },
);

test.skipIf(!hasPrograms)(
  'going live: the client that Python generates from the document makes an image',
  // Python installs packages, and a busy machine unpacks them slowly.
  { timeout: limitMs(600_000) },
  async ({ stack, seller, key, folder, skip }) => {
    const env = { ...childEnvironment({}), PACKSHOT: stack.url, PACKSHOT_KEY: key };
    const generate = (await examplesIn('going-live-with-the-api', 'sh', stack.url, key))[2]!;
    const [venv, install, ...command] = generate.split('\n');
    try {
      await bash(`${venv}\n${install}`, folder, env);
    } catch (error) {
      skip(`pip cannot install the generator here: ${(error as Error).message.slice(-300)}`);
    }
    await bash(command.join('\n'), folder, env);
    const [program] = await examplesIn('going-live-with-the-api', 'py', stack.url, key);
    await writeFile(join(folder, 'generated.py'), program!);
    const python = () => run('packshot-python/bin/python', ['generated.py'], { cwd: folder, env });
    await python();
    expect((await sharp(join(folder, 'mug-generated.png')).metadata()).width).toBe(limits.outputWidth);
    expect(await seller.generations()).toHaveLength(1);
    await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { generations_left: 0 } });
    await expect(python()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('You have no images left.'),
    });
  },
);

test.skipIf(!hasPrograms)(
  'the command: the package is installed, makes a table of products, and typed again it makes nothing',
  async ({ stack, seller, key, folder, skip }) => {
    const prefix = join(folder, 'installed');
    const usual = childEnvironment({});
    const env = {
      ...usual,
      XDG_CONFIG_HOME: folder,
      npm_config_prefix: prefix,
      npm_config_prefer_offline: 'true',
      PATH: [join(prefix, 'bin'), usual.PATH].join(delimiter),
    };
    const guide = (language: string) => examplesIn('batches-with-the-command', language, stack.url, key);
    const [install, login, batch, again, list] = await guide('sh');
    await run('npm', ['pack', '--pack-destination', folder], {
      cwd: join(rootFolder, 'scripts/cli/package'),
      env: childEnvironment({}),
    });
    try {
      await bash(install!, folder, env);
    } catch (error) {
      skip(`npm cannot install the package here: ${(error as Error).message.slice(-300)}`);
    }
    const [table] = await guide('csv');
    await writeFile(join(folder, 'products.csv'), table!);
    await mkdir(join(folder, 'photos'));
    for (const name of ['mug.jpg', 'mug-side.jpg']) await cp(samplePhotoFile, join(folder, 'photos', name));

    const { stdout } = await bash([login, batch, again, list].join('\n'), folder, env);
    expect(stdout).toMatch(/^100 images left/);
    expect(stdout).toMatch(/^97 images left/m);
    expect(stdout.match(/^3 of 3 images in /gm)).toHaveLength(2);
    expect(stdout).toMatch(/succeeded\nsucceeded\nsucceeded\n$/);
    expect(await seller.generations()).toHaveLength(3);
    const files = await readdir(join(folder, 'packshot'));
    expect(files.filter((name) => name.endsWith('.png'))).toHaveLength(3);
    expect(files.filter((name) => name.endsWith('-amazon-main.jpg'))).toHaveLength(3);
    const report = Papa.parse(await readFile(join(folder, 'packshot', 'report.csv'), 'utf8'), {
      header: true,
      skipEmptyLines: true,
    });
    expect(report.data).toHaveLength(2);
  },
);
