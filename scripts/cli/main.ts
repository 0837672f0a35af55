#!/usr/bin/env node
/** `packshot`: images from a command line, with the API for programs alone. */
import { createInterface } from 'node:readline/promises';
import { createPackshot } from './client.ts';
import { balance } from './commands/balance.ts';
import { batch } from './commands/batch.ts';
import { generate } from './commands/generate.ts';
import { list } from './commands/list.ts';
import { mcp } from './commands/mcp.ts';
import { watch } from './commands/watch.ts';
import { webhooks } from './commands/webhooks.ts';
import type { CommandContext } from './context.ts';
import { CommandError, exitCodeOf, exitCodes } from './exit-codes.ts';
import { isTestKey, readSettings } from './settings.ts';

const commands: Readonly<
  Record<string, { about: string; run: (context: CommandContext) => Promise<number> }>
> = {
  generate: { about: 'makes images of a product and writes their files', run: generate },
  batch: { about: 'makes the images of a table of products, and goes on where it was stopped', run: batch },
  list: { about: 'prints the newest images', run: list },
  watch: { about: 'prints images as they change, until Ctrl-C', run: watch },
  webhooks: {
    about: 'listen: sends what happens to a program on this machine, as webhooks do',
    run: webhooks,
  },
  balance: { about: 'prints how many images are left', run: balance },
  mcp: { about: 'serves these to an assistant, over standard input and output', run: mcp },
};

const help = [
  'Usage: packshot COMMAND [OPTION…]',
  'PACKSHOT is the address of Packshot, PACKSHOT_KEY an API key: make one in Account Settings, API.',
  ...Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(10)}${about}`),
  '  --help    prints this; after a command, its options',
].join('\n');

const [name, ...words] = process.argv.slice(2);
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The second one does not wait until images are cancelled.
    if (interrupted.signal.aborted) process.exit(exitCodes.interrupted);
    interrupted.abort();
  });
}
process.exitCode = await run();

async function run(): Promise<number> {
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(help);
    return exitCodes.done;
  }
  const command = name === undefined ? undefined : commands[name];
  if (!command) {
    const problem = name === undefined ? 'it takes a COMMAND' : `there is no command ${name}`;
    console.error(`packshot: ${problem}; --help lists them`);
    return exitCodes.wrong;
  }
  try {
    return await command.run({
      words,
      folder: process.cwd(),
      connect: async () => {
        const settings = await readSettings();
        if (isTestKey(settings.key)) {
          console.error('packshot: with a test key, images have a watermark and use none of the plan');
        }
        return createPackshot(settings);
      },
      signal: interrupted.signal,
      print: console.log,
      note: process.stderr,
      ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
    });
  } catch (error) {
    const code = exitCodeOf(error);
    if (code !== undefined) {
      console.error(`packshot: ${(error as Error).message}`);
      return code;
    }
    if (interrupted.signal.aborted) return exitCodes.interrupted;
    throw error;
  }
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal: interrupted.signal });
    return /^y(es)?$/i.test(answer.trim());
  } catch {
    throw new CommandError('interrupted: nothing was made', exitCodes.interrupted);
  } finally {
    terminal.close();
  }
}
