/** Every command of this checkout: the scripts of package.json, other programs in scripts/, and the campaigns. */
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { readInCheckout } from './checkout.ts';

/** A command: its name and what Node gets, with files relative to the checkout. */
export interface Command {
  name: string;
  line: readonly string[];
}

const { scripts } = JSON.parse(readInCheckout('package.json')) as { scripts: Record<string, string> };

/** `node`, with flags of its own or without, with a file of ours and options, and no other program. */
const ofOurs = /^node (?:--\S+ )*(\S+\.m?[jt]s(?: [^&|;]+)?)$/;

/** The scripts of package.json that are other people's programs, whose command lines are theirs. */
export const scriptsOfOthers = Object.keys(scripts).filter((name) => !ofOurs.test(scripts[name]!));

export const commands: readonly Command[] = listCommands();

/** @returns the command with a name, which must exist */
export const commandOf = (name: string) => commands.find((command) => command.name === name)!;

function listCommands(): Command[] {
  const named = Object.entries(scripts).flatMap(([name, script]) => {
    const line = ofOurs.exec(script)?.[1]?.split(' ');
    return line === undefined ? [] : [{ name, line }];
  });
  const others = globSync('scripts/*/main.ts', { cwd: rootFolder })
    .filter((file) => !named.some(({ line }) => line.includes(file)))
    .map((file) => ({ name: file, line: ['scripts/run.mjs', file] }));
  const campaigns = globSync('tests/campaigns/*/main.ts', { cwd: rootFolder }).map((file) => {
    const name = basename(dirname(file));
    return { name: `campaign ${name}`, line: ['scripts/run.mjs', 'tests/campaigns/main.ts', name] };
  });
  return [...named, ...others, ...campaigns];
}

/** How a command ended. */
export interface Ended {
  status: number;
  stdout: string;
  stderr: string;
  /** What it has left in its folder. */
  left: string[];
}

/** Loaded before the command: connections and ports end it. */
const withoutNetwork = `data:text/javascript,${encodeURIComponent(`
  import net from 'node:net';
  import { DatabaseSync } from 'node:sqlite';
  const end = (what) => () => { console.error('it ' + what); process.exit(99); };
  net.Server.prototype.listen = end('opened a port');
  net.Socket.prototype.connect = end('opened a connection');
  DatabaseSync.prototype.open = end('opened a database');
`)}`;

/**
 * Runs a command in an empty folder where it may open nothing: Node refuses it to write a file and to start a process, and it
 * ends when it opens a port or a connection.
 */
export async function runWithoutOpening({ line }: Command, ...args: string[]): Promise<Ended> {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-test-'));
  const permissions = [
    '--permission',
    '--allow-fs-read=*',
    '--allow-addons',
    '--disable-warning=SecurityWarning',
  ];
  // Addons of libraries, which are loaded before the command runs, start threads.
  permissions.push('--allow-worker', '--import', withoutNetwork);
  const files = line.map((each) => (each.includes('/') ? join(rootFolder, each) : each));
  const environment = childEnvironment({ STORAGE_URL: `file://${folder}/data` });
  environment.npm_lifecycle_event = undefined;
  // Its folder may not be written either.
  environment.NODE_COMPILE_CACHE = undefined;
  const ended = await promisify(execFile)(process.execPath, [...permissions, ...files, ...args], {
    cwd: folder,
    env: environment,
  }).then(
    ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({
      status: code as number,
      stdout: String(stdout),
      stderr: String(stderr),
    }),
  );
  const left = await readdir(folder);
  await rm(folder, { recursive: true });
  return { ...ended, left };
}

/** An option as `--help` shows it; a flag takes nothing. */
export interface ShownOption {
  name: string;
  takes: string | undefined;
}

/** What `--help` says that a command takes. */
export function readHelp(help: string): { words: string[]; options: ShownOption[] } {
  const [usage = ''] = help.split('\n', 1);
  const words = usage
    .replace(
      /^Usage: (?:node \S+(?: \S+\.ts)?|npm run campaign -- [a-z-]+|npm start|npm test|npm run \S+)/,
      '',
    )
    .split(' ')
    .filter((word) => word !== '' && !word.includes('--') && word !== '[OPTION…]');
  const options = [
    ...help.matchAll(/^ {2}--([\w-]+)(?:, -\w)?(?: ([A-Z][A-Z-]*|[\w-]+(?:\|[\w-]+)+))?(?: {2}|$)/gm),
  ].map(([, name, takes]) => ({ name: name!, takes }));
  return { words, options };
}
