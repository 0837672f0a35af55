/** The command `packshot`, as a person types it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

export const packshotProgram = join(rootFolder, 'scripts', 'cli', 'main.ts');

/** Where it runs, and with which settings. */
export interface Typist {
  folder: string;
  url?: string;
  key?: string;
}

/** How it ended. */
export interface PackshotRun {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** The environment of the command: nobody's own settings. */
export const environmentOf = ({ folder, url = '', key = '' }: Typist) => ({
  ...childEnvironment({}),
  XDG_CONFIG_HOME: folder,
  PACKSHOT: url,
  PACKSHOT_KEY: key,
});

/** Starts the command. `ended` resolves with what it printed. */
export function startPackshot(typist: Typist, ...words: string[]) {
  const child = spawn(process.execPath, [packshotProgram, ...words], {
    cwd: typist.folder,
    env: environmentOf(typist),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    stdout += piece;
  });
  const ended = Promise.all([once(child, 'close'), text(child.stderr)]).then(
    ([[status], stderr]): PackshotRun => ({ status: status as number | null, stdout, stderr }),
  );
  return {
    ended,
    /** What it has printed so far. */
    printed: () => stdout,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
  };
}

/** Types the command, and waits until it ends. */
export const packshot = (typist: Typist, ...words: string[]): Promise<PackshotRun> =>
  startPackshot(typist, ...words).ended;
