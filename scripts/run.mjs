// `node scripts/run.mjs FILE ARGUMENT…` starts every command of package.json. Installs the locked dependencies when they are
// absent or older than the lockfile, then runs the file on Node 24, which npm has installed. Without a file it only installs.
// It starts on whatever Node the machine has (20.19 or newer), so it is plain JavaScript that imports nothing from npm.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Modification time of a file in ms since 1970; 0 when it does not exist. */
const modifiedAt = (file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Prints what to do and exits. */
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

/** Node 24, which every script runs on; the install script of the package `node` puts it there. */
const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** The packages in a lockfile, by path; empty when it does not exist or is broken. */
const packagesIn = (file) => {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages ?? {};
  } catch {
    return {};
  }
};

/**
 * Whether the installed packages match the lockfile. npm writes its hidden lockfile last, so it exists only after a
 * complete install. A newer lockfile is compared by content: copying a checkout or changing its branch makes it newer
 * without changing it.
 */
const isInstalled = () => {
  const hidden = 'node_modules/.package-lock.json';
  const installedAt = modifiedAt(hidden);
  if (installedAt === 0 || !existsSync(node)) return false;
  if (installedAt >= modifiedAt('package-lock.json')) return true;
  const installed = packagesIn(hidden);
  const wanted = packagesIn('package-lock.json');
  const same = Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const found = installed[path];
    if (found === undefined) return path === '' || optional === true;
    return found.version === version && found.integrity === integrity;
  });
  return same && Object.keys(installed).every((path) => wanted[path] !== undefined);
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

const [, , file, ...given] = process.argv;
if (file !== undefined) {
  if (realpathSync(process.execPath) === realpathSync(node)) {
    // What strips types takes 15 MB: where they were stripped before, it is not needed.
    const stripped = join(root, 'shared', 'platform', 'stripped-types.mjs');
    if (existsSync(stripped)) await import(pathToFileURL(stripped).href);
    process.argv.splice(1, 2, resolve(file));
    await import(pathToFileURL(resolve(file)).href);
  } else runOnNode24([file, ...given]);
}

/** For the first command of a checkout, which the machine's own Node has started. */
function runOnNode24(command) {
  const child = spawn(node, command, { stdio: 'inherit' });
  // A terminal sends SIGINT to both.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const parent = process.ppid;
  // Node has no event for the end of a parent, and npm may end without a signal.
  const watch = setInterval(() => process.ppid === parent || child.kill(), 500);
  child.once('exit', (code, signal) => {
    clearInterval(watch);
    process.exitCode = signal === null ? code : 1;
  });
}
