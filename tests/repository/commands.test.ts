/**
 * Every command prints its help without opening anything; a new command is among them by itself. What a command does not know,
 * and a database that is away, it answers with one line.
 */
import { expect, test } from 'vitest';
import {
  commandOf,
  commands,
  readHelp,
  runWithoutOpening,
  scriptsOfOthers,
} from '#tests/support/commands.ts';
import { runWithoutDatabase } from '#tests/support/program.ts';

test('the commands are listed: all scripts but those of TypeScript, Biome, knip and Vite', () => {
  expect(scriptsOfOthers.toSorted()).toEqual(['build', 'check', 'format']);
  const names = commands.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['start', 'dev', 'postinstall', 'test:limits', 'account']));
  expect(names).toEqual(
    expect.arrayContaining(['scripts/settings/main.ts', 'campaign chaos', 'campaign bench']),
  );
});

test.concurrent.for(commands)(
  '$name --help prints how it is used, and opens nothing',
  async (command, { expect }) => {
    const { stdout, ...ended } = await runWithoutOpening(command, '--help');
    expect(ended).toEqual({ status: 0, stderr: '', left: [] });
    expect(stdout).toMatch(/^Usage: /);
    expect(readHelp(stdout).options.map(({ name }) => name)).toContain('help');
  },
);

test('a command answers an option that it does not know with one line', async () => {
  expect(await runWithoutOpening(commandOf('audit'), '--no-such-option')).toEqual({
    status: 1,
    stdout: '',
    stderr: "audit: Unknown option '--no-such-option'; --help lists the options\n",
    left: [],
  });
});

test('a command says that the database does not answer', async () => {
  expect(await runWithoutDatabase('account', 'show', 'seller@shop.example')).toEqual({
    status: 1,
    lines: [expect.stringMatching(/^account: .*127\.0\.0\.1:9/)],
  });
});
