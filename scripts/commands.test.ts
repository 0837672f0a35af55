/** Commands for operators answer what they do not know, and a database that is away, with one line. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

const away = 'mongodb://127.0.0.1:9/packshot';

/** @returns the status of a command, and the lines that it printed */
async function run(name: string, ...args: string[]): Promise<{ status: number; lines: string[] }> {
  const command = [join(rootFolder, 'scripts', name, 'main.ts'), ...args];
  const options = { cwd: rootFolder, env: childEnvironment({ MONGODB_URL: away }) };
  const linesOf = (...outputs: string[]) => outputs.join('').trim().split('\n');
  return promisify(execFile)(process.execPath, command, options).then(
    ({ stdout, stderr }) => ({ status: 0, lines: linesOf(stdout, stderr) }),
    ({ code, stdout, stderr }) => ({ status: code as number, lines: linesOf(stdout, stderr) }),
  );
}

test.each(['audit', 'migrate', 'explain', 'load'])(
  '%s does nothing when it gets an unknown option',
  { timeout: 60_000 },
  async (name) => {
    expect(await run(name, '--help')).toEqual({
      status: 1,
      lines: [expect.stringContaining(`${name}: Unknown option '--help'`)],
    });
  },
);

test('commands say that the database does not answer', { timeout: 60_000 }, async () => {
  const commands = [['audit'], ['migrate'], ['operator', 'list'], ['account', 'show', 'seller@shop.example']];
  const ended = await Promise.all(commands.map(([name, ...args]) => run(name!, ...args)));
  expect(ended).toEqual(
    commands.map(([name]) => ({
      status: 1,
      lines: [expect.stringMatching(new RegExp(`^${name}: .*127\\.0\\.0\\.1:9`))],
    })),
  );
});
