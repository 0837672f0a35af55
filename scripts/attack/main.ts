/**
 * `npm run attack`: attacks stacks of its own, one for each attack, and prints a table of what held. Name some to run only
 * those: `npm run attack -- decode`. Takes the stores of MONGODB_URL and QUEUE_URL if given, else the local services.
 * Ends with 1 where something did not hold.
 */
import { parseArgs } from 'node:util';
import { startBenchStack } from '../bench/stack.ts';
import type { Attack, Figure } from './attack.ts';
import { flood } from './flood.ts';
import { queueWatchers } from './queue-watchers.ts';

const attacks: readonly Attack[] = [flood, queueWatchers];

const { positionals } = parseArgs({ allowPositionals: true });
const unknown = positionals.find((name) => !attacks.some((attack) => attack.name === name));
if (unknown !== undefined) {
  console.error(`There is no attack "${unknown}". There are: ${attacks.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

const chosen = positionals.length === 0 ? attacks : attacks.filter(({ name }) => positionals.includes(name));
let held = true;
for (const attack of chosen) {
  console.log(`\n${attack.name}: ${attack.title}`);
  for (const figure of await figuresOf(attack)) {
    held &&= figure.held;
    console.log(
      `  ${figure.held ? 'held  ' : 'FAILED'} ${figure.what}: ${figure.measured} (asked: ${figure.asked})`,
    );
  }
}
process.exitCode = held ? 0 : 1;

async function figuresOf(attack: Attack): Promise<Figure[]> {
  const stack = await startBenchStack(attack.stack);
  try {
    return await attack.run(stack);
  } finally {
    await stack.close();
  }
}
