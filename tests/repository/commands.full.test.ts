/** The other commands for operators do what `commands.test.ts` says of two. */
import { expect, test } from 'vitest';
import { runWithoutDatabase } from '#tests/support/program.ts';

test('commands do nothing when they get an unknown option', async () => {
  const names = ['migrate', 'explain', 'load'];
  const ended = await Promise.all(names.map((name) => runWithoutDatabase(name, '--help')));
  expect(ended).toEqual(
    names.map((name) => ({
      status: 1,
      lines: [expect.stringContaining(`${name}: Unknown option '--help'`)],
    })),
  );
});

test('commands say that the database does not answer', async () => {
  const commands = [['audit'], ['migrate'], ['operator', 'list']];
  const ended = await Promise.all(commands.map(([name, ...args]) => runWithoutDatabase(name!, ...args)));
  expect(ended).toEqual(
    commands.map(([name]) => ({
      status: 1,
      lines: [expect.stringMatching(new RegExp(`^${name}: .*127\\.0\\.0\\.1:9`))],
    })),
  );
});
