/** Every command answers everything that its command line can have wrong with one line, and opens nothing. */
import pLimit from 'p-limit';
import { expect, test } from 'vitest';
import { benchReplies } from '#tests/campaigns/bench/replies.ts';
import { commandOf, commands, readHelp, runWithoutOpening } from '#tests/support/commands.ts';
import { limitMs } from '#tests/support/machine.ts';
import { runWithoutDatabase } from '#tests/support/program.ts';

/** What an option of a kind must not be; scripts/command-line.test.ts tries many values. */
const wrongValues: Readonly<Record<string, string>> = {
  COUNT: '0',
  NUMBER: '0',
  PORT: '65536',
  SEED: '-1',
  URL: 'no-address',
};

/** Command lines that a command must refuse, by what its help says that it takes. */
function wrongLines(help: string): string[][] {
  const { words, options } = readHelp(help);
  const ofOptions = options.flatMap(({ name, takes }) => {
    if (takes === undefined) return [[`--${name}=value`]];
    const wrong = wrongValues[takes] ?? (takes.includes('|') ? 'no-such-word' : undefined);
    return wrong === undefined ? [[`--${name}`]] : [[`--${name}=${wrong}`]];
  });
  const [first] = words;
  const many = words.some((word) => word.includes('…'));
  const required = words.filter((word) => !word.startsWith('['));
  return [
    ['--no-such-option'],
    ...ofOptions,
    ...(many ? [] : [Array.from({ length: words.length + 1 }, () => 'one-word-too-many')]),
    ...(required.length > 0 ? [[]] : []),
    // A name, or a file that must exist.
    ...(many || first?.includes('|') || first?.includes('NAME')
      ? [['no-such-word', ...required.slice(1).map(() => 'a@shop.example')]]
      : []),
  ];
}

test.for(commands)(
  '$name answers each wrong command line with one line',
  { timeout: limitMs(300_000) },
  async (command) => {
    const { stdout: help } = await runWithoutOpening(command, '--help');
    const inTurn = pLimit(3);
    const lines = wrongLines(help);
    expect(lines.length).toBeGreaterThan(1);
    const ended = await Promise.all(
      lines.map((line) => inTurn(async () => ({ line, ...(await runWithoutOpening(command, ...line)) }))),
    );
    expect(ended).toEqual(
      lines.map((line) => ({
        line,
        status: expect.toSatisfy((status) => status === 1 || status === 2),
        stdout: '',
        // In its own words: Node's refusal to open something is no answer to a wrong line.
        stderr: expect.stringMatching(/^[\w:-]+: (?!.*(?:restricted|it opened)).+\n$/),
        left: [],
      })),
    );
  },
);

test.for([
  ['campaign chaos', '--runs', '0'],
  ['campaign chaos', '--only', 'no-such-fault'],
  ['campaign bench', 'sockets', '0'],
  ['campaign bench', 'replies', '5'],
  ['campaign bench', 'scale', 'no-such-part'],
  ['account', 'reset-two-factor', 'seller@shop.example'],
  ['operator', 'list', 'seller@shop.example'],
])('%s refuses %s %s', async ([name, ...args]) => {
  expect(await runWithoutOpening(commandOf(name!), ...args)).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^[\w:-]+: (?!.*restricted).+\n$/),
    left: [],
  });
});

test('the benchmark of replies finds its reply unchanged by the schema', () => {
  expect(() => benchReplies(1)).not.toThrow();
});

test('commands say that the database does not answer', async () => {
  const lines = [['audit'], ['migrate'], ['operator', 'list']];
  const ended = await Promise.all(lines.map(([name, ...args]) => runWithoutDatabase(name!, ...args)));
  expect(ended).toEqual(
    lines.map(([name]) => ({
      status: 1,
      lines: [expect.stringMatching(new RegExp(`^${name}: .*127\\.0\\.0\\.1:9`))],
    })),
  );
});
