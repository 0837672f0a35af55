// Runs before every npm script, on whatever Node the machine has (20.19 or newer), so it is plain JavaScript
// that imports nothing from npm. Installs the locked dependencies when they are absent or older than the lockfile.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Time of the file's last change in ms since 1970; 0 when there is no such file. */
const changed = (file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `packshot: Node ${process.versions.node} is too old. Install Node 20.19 or newer (https://nodejs.org), then try again.`,
  );
  process.exit(1);
}

// npm writes this hidden lockfile last, so it is there only after an install that ended well.
const installed = changed('node_modules/.package-lock.json');
if (installed === 0 || installed < changed('package-lock.json')) {
  console.error('packshot: installing dependencies (npm ci); the first time takes about a minute …');
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) {
    console.error(
      'packshot: npm ci failed (above). Check that this machine reaches the npm registry, then run the command again.',
    );
    process.exit(1);
  }
}
