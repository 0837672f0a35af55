/** The package of the command `packshot`: its README as it is written, with the Node of this machine, outside of this repository. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, expect } from 'vitest';
import { v1Paths } from '#contract';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { giveKey } from '#tests/support/api-keys.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { temporaryFolder, testWithStack } from '#tests/support/test.ts';
import { startWebhookReceiver, verified } from '#tests/support/webhook-receiver.ts';

const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());

const run = promisify(execFile);
const cli = join(rootFolder, 'scripts', 'cli');
const readme = await readFile(join(cli, 'README.md'), 'utf8');
const generator = /openapi-typescript@[\d.]+/.exec(readme)![0];

const test = testWithStack().extend('folder', { scope: 'file' }, ({ stack }, { onCleanup }) =>
  temporaryFolder(stack, onCleanup),
);

/** The examples in a language, with an address and a key that exist. */
const examplesIn = (language: string, url: string, key: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block]) =>
    block!.replaceAll('https://packshot.example', url).replaceAll('pk_live_your_key', key),
  );

/** What npx and npm need, without what npm passes to this test: the Node of this machine comes first. */
const { npm_config_prefix: _, ...usual } = childEnvironment({});

test('the types of the client are those of the document', async ({ stack, folder, skip }) => {
  const canFetch = await run('npx', ['--yes', generator, '--version'], { env: usual }).then(
    () => true,
    () => false,
  );
  skip(!canFetch, `npx cannot fetch ${generator}`);
  await writeFile(join(folder, 'openapi.json'), await (await fetch(stack.url + v1Paths.document)).text());
  const generate = ['openapi.json', '--default-non-nullable=false', '--output', 'api.ts'];
  await run('npx', ['--yes', generator, ...generate], { env: usual, cwd: folder });
  expect(await readFile(join(cli, 'api.ts'), 'utf8')).toBe(await readFile(join(folder, 'api.ts'), 'utf8'));
});

test('it is packed, installed and used as its README says', async ({ stack, folder }) => {
  const seller = await stack.seller();
  const key = await giveKey(stack, seller);
  const prefix = join(folder, 'installed');
  const env = {
    ...usual,
    npm_config_prefix: prefix,
    PATH: `${prefix}/bin:${usual.PATH}`,
    XDG_CONFIG_HOME: folder,
  };
  const [pack, settings, generate, batch, listen] = examplesIn('sh', stack.url, key);
  // The file is packed into the checkout, and git ignores it.
  await run('bash', ['-euc', pack!], { cwd: rootFolder, env });

  const work = join(folder, 'work');
  await mkdir(join(work, 'photos'), { recursive: true });
  const photo = await samplePhoto();
  await writeFile(join(work, 'mug.jpg'), photo);
  await copyFile(join(work, 'mug.jpg'), join(work, 'photos', 'mug.jpg'));
  await writeFile(join(work, 'products.csv'), 'sku,photos\nMUG-1,mug.jpg\nMUG-2,mug.jpg\n');
  const { stdout } = await run('bash', ['-euc', `${settings}${generate}${batch}`], { cwd: work, env });
  expect(stdout).toContain('2 of 2 images in ');
  expect((await sharp(join(work, 'mug.png')).metadata()).format).toBe('png');
  expect((await sharp(join(work, 'mug-amazon-main.jpg')).metadata()).format).toBe('jpeg');
  expect((await readdir(join(work, 'packshot'))).toSorted()).toEqual([
    'MUG-1-amazon-main.jpg',
    'MUG-1.png',
    'MUG-2-amazon-main.jpg',
    'MUG-2.png',
    'report.csv',
  ]);

  // Events: the program of the example is this test.
  const hook = receiver.url('/hook');
  const listening = spawn(
    'bash',
    ['-euc', `${settings}exec ${listen!.replace('http://localhost:3000/hook', hook)}`],
    { cwd: work, env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(listening, 'close');
  const printed = text(listening.stdout);
  await expect
    .poll(async () => {
      if (receiver.at('/hook').length === 0) await insertImage(stack, seller);
      return receiver.at('/hook').length;
    }, eventually)
    .toBeGreaterThan(0);
  listening.kill('SIGINT');
  expect((await ended)[0]).toBe(0);
  const [, secret = ''] = /^Signed with (\S+)$/m.exec(await printed)!;
  expect(verified(receiver.at('/hook')[0]!, secret).type).toBe('generation.succeeded');

  // The client: its types are checked, then the example runs.
  const [example] = examplesIn('ts', stack.url, key);
  const package_ = { name: 'shop', type: 'module', dependencies: {} };
  await writeFile(join(work, 'package.json'), JSON.stringify(package_));
  const tarball = join(cli, 'package', 'packshot-1.0.0.tgz');
  await run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: work, env });
  await writeFile(join(work, 'balance.ts'), example!);
  const tsc = join(rootFolder, 'node_modules', '.bin', 'tsc');
  const options = ['--module', 'nodenext', '--target', 'es2024', '--strict', '--skipLibCheck'];
  const types = ['--types', 'node', '--typeRoots', join(rootFolder, 'node_modules', '@types')];
  await run(tsc, [...options, ...types, 'balance.ts'], { cwd: work, env });
  const counted = await run('node', ['balance.js'], {
    cwd: work,
    env: { ...env, PACKSHOT: stack.url, PACKSHOT_KEY: key },
  });
  const { generationsLeft } = (await seller.me()).subscription;
  expect(counted.stdout).toBe(`${generationsLeft} images left\n`);
});
