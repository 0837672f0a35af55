import { spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';

let root: string;
const older = new Date('2026-01-01');
const newer = new Date('2026-01-02');
const packages = {
  '': { version: '1.0.0' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/only-on-windows': { version: '1.0.0', optional: true },
};

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'packshot-test-run-'));
  await mkdir(join(root, 'scripts'));
  await mkdir(join(root, 'bin'));
  await mkdir(join(root, 'node_modules', 'node', 'bin'), { recursive: true });
  await copyFile(join(rootFolder, 'scripts', 'run.mjs'), join(root, 'scripts', 'run.mjs'));
  await writeFile(join(root, 'node_modules', 'node', 'bin', 'node'), '');
  await writeFile(join(root, 'bin', 'npm'), '#!/bin/sh\necho "npm $*"\nexit $NPM_EXIT\n');
  await chmod(join(root, 'bin', 'npm'), 0o755);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function lockfile(path: string, content: object, time: Date): Promise<void> {
  await writeFile(join(root, path), JSON.stringify({ packages: content }));
  await utimes(join(root, path), time, time);
}

/** Runs the script with an npm that only says what it was called with. @param command what it is to start */
function install(npmExit = 0, command: string[] = []) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.mjs', ...command], {
    cwd: root,
    env: { PATH: `${join(root, 'bin')}:/usr/bin:/bin`, NPM_EXIT: String(npmExit) },
    encoding: 'utf8',
  });
  return { status, npm: stdout.trim(), said: stderr };
}

const installed = { 'node_modules/a': packages['node_modules/a'] };

test('installs when nothing is installed, with development dependencies whatever NODE_ENV says', async () => {
  await lockfile('package-lock.json', packages, newer);
  expect(install().npm).toMatch(/^npm ci --include=dev /);
});

test('does nothing when the install is newer than the lockfile', async () => {
  await lockfile('package-lock.json', packages, older);
  await lockfile('node_modules/.package-lock.json', installed, newer);
  expect(install()).toEqual({ status: 0, npm: '', said: '' });
});

test('does nothing when the lockfile is newer but asks for what is there', async () => {
  await lockfile('node_modules/.package-lock.json', installed, older);
  await lockfile('package-lock.json', packages, newer);
  expect(install().npm).toBe('');
});

test.each([
  ['another version', { ...packages, 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } }],
  ['other contents', { ...packages, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } }],
  ['one more package', { ...packages, 'node_modules/b': { version: '1.0.0' } }],
  ['one package less', { '': packages[''] }],
])('installs when the newer lockfile asks for %s', async (_what, wanted) => {
  await lockfile('node_modules/.package-lock.json', installed, older);
  await lockfile('package-lock.json', wanted, newer);
  expect(install().npm).toMatch(/^npm ci/);
});

test('says what to do when npm fails', async () => {
  await lockfile('package-lock.json', packages, newer);
  const { status, said } = install(1);
  expect(status).toBe(1);
  expect(said).toMatch(/npm ci failed \(above\)\. Check that this machine reaches the npm registry/);
});

test('says what to do when npm ran no install scripts', async () => {
  await lockfile('package-lock.json', packages, newer);
  await rm(join(root, 'node_modules', 'node'), { recursive: true });
  const { status, said } = install();
  expect(status).toBe(1);
  expect(said).toMatch(/npm ci --ignore-scripts=false/);
});

describe('a command', () => {
  const printer = 'console.log(process.argv.slice(2).join(), process.execPath); process.exitCode = 7;';
  const command = ['printer.mjs', 'one', '--two'];

  beforeEach(async () => {
    await lockfile('package-lock.json', packages, older);
    await lockfile('node_modules/.package-lock.json', installed, newer);
    await writeFile(join(root, 'printer.mjs'), printer);
    await rm(join(root, 'node_modules', 'node', 'bin', 'node'));
  });

  test('that another Node has started runs on the one that npm installed', async () => {
    const node = join(root, 'node_modules', 'node', 'bin', 'node');
    await copyFile(process.execPath, node);
    expect(install(0, command)).toEqual({ status: 7, npm: `one,--two ${node}`, said: '' });
  });

  test('that this one has started runs in the same process', async () => {
    await symlink(process.execPath, join(root, 'node_modules', 'node', 'bin', 'node'));
    expect(install(0, command)).toEqual({ status: 7, npm: `one,--two ${process.execPath}`, said: '' });
  });
});
