// Runs before every npm script, on whatever Node the machine has (20.19 or newer), so it is plain JavaScript
// that imports nothing from npm. Installs the locked dependencies when they are absent or older than the lockfile.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Time of the file's last change in ms since 1970; 0 when there is no such file. */
const changed = (file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** One line that says what to do, and the end. */
const fail = (message) => {
  console.error(`packshot: ${message}`);
  process.exit(1);
};

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(
    `Node ${process.versions.node} is too old. Install Node 20.19 or newer (https://nodejs.org), then try again.`,
  );
}

/** Node 24, which every script runs on: its package puts it there by an install script. */
const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** The packages that a lockfile names, by their place; nothing when it is not there or broken. */
const packagesIn = (file) => {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages ?? {};
  } catch {
    return {};
  }
};

/**
 * Whether what is installed is what the lockfile asks for. npm writes its hidden lockfile last, so it is there only
 * after an install that ended well. Contents decide, not times: copying a checkout or changing its branch makes a
 * lockfile newer without making it different.
 */
const isInstalled = () => {
  const hidden = 'node_modules/.package-lock.json';
  const had = changed(hidden);
  if (had === 0 || !existsSync(node)) return false;
  if (had >= changed('package-lock.json')) return true;
  const installed = packagesIn(hidden);
  const wanted = packagesIn('package-lock.json');
  const same = Object.entries(wanted).every(([place, { version, integrity, optional }]) => {
    const there = installed[place];
    if (there === undefined) return place === '' || optional === true;
    return there.version === version && there.integrity === integrity;
  });
  return same && Object.keys(installed).every((place) => wanted[place] !== undefined);
};

if (!isInstalled()) {
  console.error('packshot: installing dependencies (npm ci); the first time takes about a minute …');
  // Development dependencies carry Node 24, Vite and the local services: they are needed whatever NODE_ENV says.
  const options = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = spawnSync('npm', ['ci', ...options], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
    // onnxruntime-node's install script fetches CUDA libraries from another registry; only the CPU is used.
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
  });
  if (npm.status !== 0) {
    fail(
      'npm ci failed (above). Check that this machine reaches the npm registry, then run the command again.',
    );
  }
  if (!existsSync(node)) {
    fail(
      'npm ran no install scripts, so Node 24 is missing. Run `npm ci --ignore-scripts=false`, then the command again.',
    );
  }
}
