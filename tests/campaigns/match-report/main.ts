/**
 * `npm run campaign -- match-report`: measures how often product match is right, and what it costs, with pairs of photos and images made
 * from the sample photos. `--seed N` makes other pairs.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readCommandLine } from '#scripts/command-line.ts';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { createRandom } from '#tests/campaigns/bench/cutout/backgrounds.ts';
import { describeMachine } from '#tests/campaigns/support/machine.ts';
import { startRenderer } from '#tests/campaigns/support/render.ts';
import type { CheckOrder, CheckReport } from './check-process.ts';
import { createPairs } from './pairs.ts';
import { type CheckedPair, printPair, printSummary } from './report.ts';
import { readCup } from './samples.ts';

const checkTimeoutMs = 60_000;

const {
  values: { seed },
} = readCommandLine('match-report', {
  typed: 'npm run campaign -- match-report',
  about: 'Measures how often product match is right, and what it costs.',
  options: { seed: { takes: 'SEED', default: 20_261_123, about: 'of the pairs' } },
});

const checker = fork(new URL('check-process.ts', import.meta.url), {
  serialization: 'advanced',
  env: childEnvironment({}),
});
const renderer = startRenderer();
try {
  console.log(`seed ${seed}, ${describeMachine()}`);
  // In advance, so that loading the model and OpenCV does not count towards the first pair.
  const cup = readCup();
  const loading = await check({ photo: { name: 'loading', png: cup.png }, image: cup.png });
  const checked: CheckedPair[] = [];
  for await (const pair of createPairs(createRandom(seed), renderer)) {
    const { name, png } = pair.photo;
    const report = await check({ photo: { name, png }, image: pair.image });
    printPair(pair, report);
    checked.push({ name: pair.name, kind: pair.kind, report });
  }
  printSummary(checked);
  console.log(`the very first check, which loads the model and OpenCV: ${loading.cpuMs.toFixed(0)} ms`);
} finally {
  checker.kill();
  await renderer.close();
}

async function check(order: CheckOrder): Promise<CheckReport> {
  const answer = once(checker, 'message', { signal: AbortSignal.timeout(checkTimeoutMs) });
  checker.send(order);
  const [report] = (await answer) as [CheckReport];
  return report;
}
