import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readCommandLine } from './command-line.ts';

let argv: string[];
beforeEach(() => {
  argv = process.argv;
});
afterEach(() => {
  process.argv = argv;
  vi.restoreAllMocks();
});

/** Reads a command line of a command with an option of each kind. @returns what it read, or the line that it ended with */
function read(...given: string[]) {
  process.argv = ['node', 'main.ts', ...given];
  const lines: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line));
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`ended with ${code}: ${lines.join()}`);
  });
  return readCommandLine('try', {
    about: 'Tries.',
    words: 'FROM [TO]',
    options: {
      count: { takes: 'COUNT', most: 9, about: 'how many' },
      number: { takes: 'NUMBER', about: 'how much' },
      port: { takes: 'PORT', about: 'where' },
      seed: { takes: 'SEED', about: 'which' },
      kind: { takes: ['small', 'large'], about: 'what kind' },
      text: { takes: 'TEXT', about: 'a text' },
      flag: { about: 'whether' },
    },
  });
}

test.for([
  ['count', ['1', '9'], ['0', '-1', '1.5', '10', '1e1', '0x1', ' 1', 'many', '']],
  ['number', ['1', '0.5'], ['0', '-1', '.5', 'NaN', 'Infinity', 'many', '']],
  ['port', ['0', '65535'], ['-1', '65536', '80.5', 'http', '']],
  ['seed', ['0', '7'], ['-1', '1.5', '9007199254740993', 'luck', '']],
  ['kind', ['small', 'large'], ['Small', 'smal', '']],
] as const)('--%s takes %j, and refuses %j with one line', ([name, accepted, refused]) => {
  for (const value of accepted) {
    const given = read('from', `--${name}`, value).values[name];
    expect(given).toBe(name === 'kind' ? value : Number(value));
  }
  for (const value of refused) {
    expect(() => read('from', `--${name}=${value}`)).toThrow(
      new RegExp(`^ended with 1: try: --${name} must be [^\\n]+$`),
    );
  }
});

test.for([
  [['from', '--no-such-option'], "Unknown option '--no-such-option'"],
  [['from', '--flag=value'], "Option '--flag' does not take an argument"],
  [['from', '--text'], "Option '--text <value>' argument missing"],
  [[], 'it takes FROM [TO]'],
  [['from', 'to', 'more'], 'more is one word too many'],
] as const)('%j is refused', ([given, why]) => {
  expect(() => read(...given)).toThrow(`ended with 1: try: ${why}`);
});

test('what is not given is undefined, or false', () => {
  expect(read('from')).toEqual({ values: { flag: false }, words: ['from'] });
});
