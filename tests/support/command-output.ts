/** Runs commands of this checkout, for their tests. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

/** Runs a command or a campaign while the database does not answer. @returns its status, and the lines that it printed */
export async function runWithoutDatabase(
  name: string,
  ...args: string[]
): Promise<{ status: number; lines: string[] }> {
  const programs = ['scripts', 'tests/campaigns'].map((folder) => join(rootFolder, folder, name, 'main.ts'));
  const command = [programs.find((file) => existsSync(file))!, ...args];
  const environment = childEnvironment({ MONGODB_URL: 'mongodb://127.0.0.1:9/packshot' });
  const linesOf = (...outputs: string[]) => outputs.join('').trim().split('\n');
  return promisify(execFile)(process.execPath, command, { cwd: rootFolder, env: environment }).then(
    ({ stdout, stderr }) => ({ status: 0, lines: linesOf(stdout, stderr) }),
    ({ code, stdout, stderr }) => ({ status: code as number, lines: linesOf(stdout, stderr) }),
  );
}
