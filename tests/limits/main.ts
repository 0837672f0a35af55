/**
 * `npm run test:limits`: starts a stack for each attack, runs the attack and prints a table of the results. Names of attacks
 * run only those: `npm run test:limits -- decode`. Uses the stores at MONGODB_URL and QUEUE_URL if set, otherwise the local
 * services. Exits with 1 if a result is outside its limit.
 */

import { readCommandLine } from '#scripts/command-line.ts';
import { startBenchStack } from '#tests/campaigns/bench/stack.ts';
import { type Attack, type Figure, NotRun } from './attack.ts';
import { batchReads } from './batch-reads.ts';
import { batchStorage } from './batch-storage.ts';
import { cvFiles } from './cv-reading.ts';
import { decode } from './decode.ts';
import { disk } from './disk.ts';
import { diskFull } from './disk-full.ts';
import { exports, headRequests } from './exports.ts';
import { flood } from './flood.ts';
import { masks } from './masks.ts';
import { pausedBatches } from './paused-batches.ts';
import { queueWatchers } from './queue-watchers.ts';
import { slowBodies } from './slow-bodies.ts';
import { twoFactorGuesses } from './two-factor-guesses.ts';
import { unpaidCalls } from './unpaid-calls.ts';

const attacks: readonly Attack[] = [
  batchReads,
  batchStorage,
  cvFiles,
  decode,
  disk,
  diskFull,
  exports,
  flood,
  headRequests,
  masks,
  pausedBatches,
  queueWatchers,
  slowBodies,
  twoFactorGuesses,
  unpaidCalls,
];

type Row = [attack: string, figure: string, measured: string, limit: string, result: string];

const { positionals } = readCommandLine('attack', { allowPositionals: true });
const unknown = positionals.find((name) => !attacks.some((attack) => attack.name === name));
if (unknown !== undefined) {
  console.error(`There is no attack "${unknown}". There are: ${attacks.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

const chosen = positionals.length === 0 ? attacks : attacks.filter(({ name }) => positionals.includes(name));
const rows: Row[] = [];
for (const attack of chosen) {
  console.log(`${attack.name}: ${attack.title} …`);
  try {
    for (const { what, measured, limit, passed } of await figuresOf(attack)) {
      rows.push([attack.name, what, measured, limit, passed ? 'passed' : 'FAILED']);
    }
  } catch (error) {
    if (!(error instanceof NotRun)) throw error;
    rows.push([attack.name, error.message, '', '', 'not run']);
  }
}
printTable(['attack', 'figure', 'measured', 'limit', 'result'], rows);
process.exitCode = rows.some((row) => row[4] === 'FAILED') ? 1 : 0;

async function figuresOf(attack: Attack): Promise<Figure[]> {
  const stack = await startBenchStack(attack.stack);
  try {
    return await attack.run(stack);
  } finally {
    await stack.close();
  }
}

/** Prints a Markdown table with aligned columns. */
function printTable(head: Row, body: readonly Row[]): void {
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  console.log(`\n${line(head)}\n${line(widths.map((width) => '-'.repeat(width)))}`);
  for (const row of body) console.log(line(row));
}
