/**
 * `npm run campaign -- bench`: measures what Packshot costs, much of it beside a minimal implementation; the README has each
 * name and its options. Uses the stores at MONGODB_URL and QUEUE_URL if set, otherwise the local services.
 */
import { numberOf, oneOf, readCommandLine, refuse } from '#scripts/command-line.ts';
import { describeMachine } from '#tests/campaigns/support/machine.ts';
import { type CampaignStack, onStack } from '#tests/campaigns/support/stack.ts';
import { createBenchSeller } from '#tests/support/connected-seller.ts';
import { benchCost } from './cost.ts';
import { benchCutout } from './cutout/main.ts';
import { benchExports } from './exports.ts';
import { benchInFlight } from './in-flight.ts';
import { benchLatency } from './latency.ts';
import { benchLibrary } from './library.ts';
import { benchLists, fillLists } from './list.ts';
import { benchPrograms } from './programs.ts';
import { benchQueueMemory } from './queue-memory.ts';
import { benchRenderer } from './renderer.ts';
import { benchReplies } from './replies.ts';
import { benchScale } from './scale/main.ts';
import { benchSignIn } from './sign-in.ts';
import { benchSockets } from './sockets.ts';
import { countStatementsOf, printStatements } from './statements.ts';
import { benchStored } from './stored.ts';
import { benchThroughput } from './throughput.ts';

const { values, words } = readCommandLine('bench', {
  typed: 'npm run campaign -- bench',
  about:
    'Measures what Packshot costs; tests/campaigns/bench/README.md says what each name measures. cost also prints the statements of a generation by process, and their sums in its last line.',
  words: '[NAME [COUNT]]',
  options: {
    quick: { about: 'measures less, for a first impression' },
    match: { about: 'cost, in-flight: with product match' },
    redis: { about: 'scale: queues on Redis instead of PostgreSQL' },
    times: {
      takes: 'COUNT',
      default: 1_000,
      about: 'scale: how many times as large the larger installation is',
    },
    images: { takes: 'COUNT', default: 100_000, about: 'library: images of the seller' },
    others: { takes: 'COUNT', default: 1_000_000, about: 'library: images of others' },
  },
});
const [name, given] = words;

/** The number that was given for a benchmark. */
const count = (otherwise: number, kind: 'COUNT' | 'SEED' = 'COUNT') =>
  given === undefined ? otherwise : numberOf('bench', 'the second word', kind, given);

/** For a benchmark that takes no second word. */
const alone = (benchmark: () => Promise<void> | void) => () =>
  given === undefined ? benchmark() : refuse('bench', `${name} takes no second word, and not ${given}`);

/** The benchmarks that have a name; without one, those of the whole stack. */
const benchmarks: Readonly<Record<string, () => Promise<void> | void>> = {
  cutout: () => benchCutout(count(7, 'SEED')),
  renderer: alone(benchRenderer),
  'in-flight': () => benchInFlight(count(64), values.match),
  cost: () => benchCost(count(200), values.match),
  statements: async () => printStatements(await countStatementsOf(count(100))),
  lists: alone(() => onStack({ workers: 0 }, measureLists)),
  programs: () => onStack({ workers: 0 }, (stack) => benchPrograms(stack, count(60))),
  exports: () => benchExports(count(50)),
  library: alone(() => benchLibrary(values.images, values.others)),
  scale: () =>
    benchScale(
      given && oneOf('bench', 'the second word', ['cost', 'throughput'], given),
      values.redis,
      values.times,
    ),
  'queue-memory': () => benchQueueMemory(count(100_000)),
  sockets: () => benchSockets(count(2_000)),
  stored: () => benchStored(count(100)),
  replies: alone(() => benchReplies(values.quick ? 200 : 1_000)),
};
const benchmark = name === undefined ? benchStack : benchmarks[name];
if (!benchmark) refuse('bench', `there is no ${name}, only ${Object.keys(benchmarks).join(', ')}`);
await benchmark();

async function benchStack(): Promise<void> {
  const size = values.quick
    ? { latency: 50, throughput: 60, rounds: 1 }
    : { latency: 300, throughput: 200, rounds: 5 };
  await onStack({}, async (stack) => {
    console.log(`${describeMachine()}\nqueue: ${stack.config.queueUrl.split(':')[0]}`);
    const seller = await createBenchSeller(stack);
    await benchLatency(stack, seller, size.latency);
    await benchThroughput(stack, seller, size.throughput, size.rounds);
    await measureLists(stack);
  });
}

/** Lists beside bare routes, and while sellers sign in. */
async function measureLists(stack: CampaignStack): Promise<void> {
  const [requests, seconds, rounds] = values.quick ? [200, 3, 2] : [500, 10, 5];
  const filled = await fillLists(stack);
  await benchLists(stack, filled, requests, rounds);
  await benchSignIn(stack, filled, seconds, rounds);
}
