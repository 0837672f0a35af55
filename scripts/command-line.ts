/**
 * The command line of every command: its options and words, and `--help`, which is printed before anything is opened. What a
 * command does not know is answered with one line on stderr, and the process ends with 1.
 */
import { randomInt } from 'node:crypto';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** The numbers that an option or a word can be, by the name that `--help` shows. */
const numbers = {
  COUNT: {
    isOne: (number: number) => Number.isSafeInteger(number) && number > 0,
    is: 'a whole number above 0',
  },
  NUMBER: { isOne: (number: number) => Number.isFinite(number) && number > 0, is: 'a number above 0' },
  PORT: {
    isOne: (number: number) => Number.isInteger(number) && number < 65_536,
    is: 'a port from 0 to 65535',
  },
  SEED: { isOne: (number: number) => Number.isSafeInteger(number), is: 'a whole number from 0' },
} as const;
type NumberName = keyof typeof numbers;

/** An option of a command; one that takes nothing is false or true. */
interface Option {
  /** What follows it: a number by its name, one of some words, or a text by any other name. */
  takes?: NumberName | readonly string[] | (string & {});
  default?: string | number;
  /** Whether it may be given several times. */
  many?: true;
  /** Its other name, of one letter. */
  short?: string;
  /** Of a number. */
  most?: number;
  /** What it does, for `--help`. */
  about: string;
}

export type CommandOptions = Readonly<Record<string, Option>>;

type Taken<Each extends Option> = Each extends { takes: NumberName }
  ? number
  : Each extends { takes: readonly (infer Word)[] }
    ? Word
    : Each extends { takes: string }
      ? string
      : boolean;

/** What was given for the options of a command. */
export type CommandValues<Given extends CommandOptions> = {
  [Name in keyof Given]: Given[Name] extends { many: true }
    ? Taken<Given[Name]>[]
    : Given[Name] extends { default: unknown }
      ? Taken<Given[Name]>
      : Given[Name] extends { takes: unknown }
        ? Taken<Given[Name]> | undefined
        : boolean;
};

/** What a command takes. */
export interface CommandLine<Given extends CommandOptions> {
  /** How it is typed; by default `npm run` with its name. */
  typed?: string;
  /** What it does, for `--help`. */
  about: string;
  /** The words that it takes beside options, as `--help` shows them: `FROM TO`, `[NAME [COUNT]]`, `[PATH…]`; by default none. */
  words?: string;
  options?: Given;
}

/**
 * Reads the options and words of this process. Prints the help and ends the process with 0 if it is asked for, and refuses
 * what the command does not take.
 * @param command the name that begins its lines
 * @param given by default what this process was started with
 */
export function readCommandLine<const Given extends CommandOptions = Record<never, never>>(
  command: string,
  line: CommandLine<Given>,
  given: string[] = process.argv.slice(2),
): { values: CommandValues<Given>; words: string[] } {
  const options = Object.entries<Option>(line.options ?? {});
  const { values, positionals: words } = parse(command, options, given);
  if (values.help) {
    console.log(helpOf(command, line, options));
    process.exit(0);
  }
  checkWords(command, line.words ?? '', words);
  const read = options.map(([name, option]) => {
    const taken = [values[name]].flat().map((each) => readValue(command, name, option, each));
    return [name, option.many ? taken.filter((each) => each !== undefined) : taken[0]];
  });
  return { values: Object.fromEntries(read) as CommandValues<Given>, words };
}

/** @returns the number that an option or a word is */
export function numberOf(
  command: string,
  what: string,
  kind: NumberName,
  text: string,
  most = Infinity,
): number {
  const { isOne, is } = numbers[kind];
  // In decimals only: Number also takes an empty text, spaces and 0x10.
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (isOne(number) && number <= most) return number;
  return refuse(command, `${what} must be ${is}${most === Infinity ? '' : ` and at most ${most}`}`);
}

/** @returns the seed that was given, or a drawn one, which the command must print */
export function seedOf(given: number | undefined): number {
  return given ?? randomInt(2 ** 31);
}

/** Ends the process with a line and 1. */
export function refuse(command: string, reason: string): never {
  console.error(`${command}: ${reason.replaceAll(/\s*\n\s*/g, ' ')}`);
  process.exit(1);
}

interface Parsed {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>;
  positionals: string[];
}

function parse(command: string, options: [string, Option][], args: string[]): Parsed {
  const config: ParseArgsOptionsConfig = Object.fromEntries(
    options.map(([name, { takes, short, many = false }]) => [
      name,
      { type: takes === undefined ? 'boolean' : 'string', multiple: many, ...(short && { short }) },
    ]),
  );
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { ...config, help: { type: 'boolean', short: 'h', default: false } },
    });
  } catch (error) {
    const [what] = (error as Error).message.split(/\. |\n/, 1);
    return refuse(command, `${what}; --help lists the options`);
  }
}

function checkWords(command: string, form: string, words: readonly string[]): void {
  const forms = form.split(' ').filter((each) => each !== '');
  const fewest = forms.filter((each) => !each.startsWith('[')).length;
  const most = form.includes('…') ? Number.POSITIVE_INFINITY : forms.length;
  if (words.length < fewest) refuse(command, `it takes ${form}; --help says more`);
  if (words.length <= most) return;
  refuse(
    command,
    `${words[most]} is one word too many: it takes ${form === '' ? 'none' : form}; --help says more`,
  );
}

function readValue(
  command: string,
  name: string,
  { takes, default: otherwise, most }: Option,
  given: string | boolean | undefined,
): unknown {
  if (takes === undefined) return given === true;
  if (typeof given !== 'string') return otherwise;
  if (typeof takes !== 'string') return oneOf(command, `--${name}`, takes, given);
  return takes in numbers ? numberOf(command, `--${name}`, takes as NumberName, given, most) : given;
}

/** @returns what was given, which must be one of the words */
export function oneOf<Word extends string>(
  command: string,
  what: string,
  words: readonly Word[],
  given: string,
): Word {
  const found = words.find((word) => word === given);
  return found ?? refuse(command, `${what} must be one of ${words.join(', ')}`);
}

function helpOf(command: string, line: CommandLine<CommandOptions>, options: [string, Option][]): string {
  const { typed = `npm run ${command} --`, about, words } = line;
  const rows = options.map(([name, option]) => [optionForm(name, option), aboutOf(option)]);
  rows.push(['--help', 'prints this']);
  const width = Math.min(widestForm, Math.max(...rows.map(([form]) => form!.length)));
  return [
    `Usage: ${[typed, words, options.length > 0 ? '[OPTION…]' : undefined].filter(Boolean).join(' ')}`,
    about,
    ...rows.map(([form, text]) => {
      const gap = form!.length > width ? `\n  ${' '.repeat(width)}` : '';
      return `  ${form!.padEnd(width)}${gap}  ${text}`;
    }),
  ].join('\n');
}

function optionForm(name: string, { takes, short }: Option): string {
  const names = short === undefined ? `--${name}` : `--${name}, -${short}`;
  if (takes === undefined) return names;
  return `${names} ${typeof takes === 'string' ? takes : takes.join('|')}`;
}

/** The forms may be as long as a list of words: what follows such a one begins on a line of its own. */
const widestForm = 28;

const aboutOf = ({ about, default: otherwise }: Option) =>
  otherwise === undefined || otherwise === '' ? about : `${about} (${otherwise})`;
