/** `npm start` and `npm run dev` as a developer types them, in a copy of this checkout, with data of their own. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { readEnvironment } from '#shared/platform/environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { limitMs } from './machine.ts';
import { processesWith } from './running-start.ts';

const run = promisify(execFile);

/**
 * Copies this checkout without its data, into a new folder. The packages are links to those of this one. The built web app
 * is copied as well, and the times of files, so that it counts as built from them.
 * @returns the folder
 */
export async function copyCheckout(): Promise<string> {
  const checkout = await mkdtemp(join(tmpdir(), 'packshot-test-checkout-'));
  // PostgreSQL runs as another user when this is root, and its data lies in the checkout.
  await chmod(checkout, 0o711);
  const left = ['node_modules', '.git', '.data', '.env'];
  const copied = (await readdir(rootFolder)).filter((name) => !left.includes(name));
  // Not by Node, which rounds times to milliseconds.
  await run('cp', ['-Rp', ...copied.map((name) => join(rootFolder, name)), checkout]);
  const packages = join(rootFolder, 'node_modules');
  await mkdir(join(checkout, 'node_modules'));
  for (const name of await readdir(packages)) {
    // Vite keeps what it made of them in folders that begin with a point.
    if (name.startsWith('.vite') || name === '.cache') continue;
    await symlink(join(packages, name), join(checkout, 'node_modules', name));
  }
  return checkout;
}

/** The environment of a developer, not of a test. */
function developerEnvironment(settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { VITEST: _, NODE_ENV: __, ...environment } = readEnvironment();
  return { ...environment, ...settings };
}

/** Runs a command of package.json to its end. @returns what it printed, without npm's own lines @throws when it fails */
export async function runScript(checkout: string, script: string): Promise<string> {
  const { stdout } = await run('npm', ['run', '--silent', script], {
    cwd: checkout,
    env: developerEnvironment({}),
  });
  return stdout.trim();
}

export interface TypedCommand {
  /** The process of npm, and the group of all that it starts. */
  pid: number;
  /** All that the developer reads. */
  screen(): string;
  /** Waits until the developer reads a text. */
  shows(text: string | RegExp): Promise<void>;
  /** An address that the command has shown; empty if it has not. @param name such as Address or API */
  address(name: string): string;
  /** Waits until it has ended and nothing of it is left. @returns the exit code of npm, or the signal that ended it */
  ended(): Promise<number | NodeJS.Signals>;
  /** Ends what still runs after a test that failed. */
  kill(): void;
}

/** Starts a command of package.json in a copy of the checkout. */
export function typeCommand(checkout: string, script: string, settings: NodeJS.ProcessEnv): TypedCommand {
  const child = spawn('npm', ['run', script], {
    cwd: checkout,
    env: developerEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const group = child.pid!;
  let screen = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      screen += text;
    });
  }
  const exit = once(child, 'exit');
  return {
    pid: group,
    screen: () => screen,
    shows: (text) => expect.poll(() => screen, { timeout: limitMs(90_000) }).toMatch(text),
    address: (name) => new RegExp(`^ +${name} +(http\\S+)`, 'm').exec(screen)?.[1] ?? '',
    async ended() {
      const [code, signal] = (await exit) as [number | null, NodeJS.Signals | null];
      await expect.poll(() => processesWith(checkout, group)).toEqual([]);
      return code ?? signal!;
    },
    kill() {
      if (child.exitCode === null && child.signalCode === null) process.kill(-group, 'SIGKILL');
    },
  };
}
