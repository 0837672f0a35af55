/**
 * `npm run campaign -- chaos --runs N --seed S`: breaks a stack in random ways while sellers are at work, and checks after each run
 * that nothing is lost, counted twice or left behind (docs/chaos.md). Ends with 1 if a rule was violated.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shutdownRequested } from '#local/shutdown-request.ts';
import { readCommandLine, refuse, seedOf, wholeNumber } from '#scripts/command-line.ts';
import { describeMachine } from '#tests/campaigns/support/machine.ts';
import { runCampaign, seedsOf } from './campaign.ts';
import { faults } from './faults/all.ts';
import { guards } from './guards/all.ts';
import { describeViolation, summarise } from './report.ts';
import type { RunResult } from './run.ts';

const { values } = readCommandLine('chaos', {
  options: {
    /** Number of runs. */
    runs: { type: 'string', default: '40' },
    /** Of the whole campaign; drawn and printed unless given. */
    seed: { type: 'string' },
    /** Only the run with this seed of its own, which the report of a violation names. */
    'only-run': { type: 'string' },
    /** Only these faults, with commas between them. */
    only: { type: 'string' },
    /** A guard to remove; the campaign then ends at the first violation, which is what it is to find. */
    without: { type: 'string' },
    queue: { type: 'string', default: 'postgres' },
    storage: { type: 'string', default: 'folder' },
    /** Prints the faults and guards. */
    list: { type: 'boolean', default: false },
  },
});

if (values.list) {
  for (const { name, hop } of faults) console.log(`${name.padEnd(32)} ${hop}`);
  for (const { name, what } of guards) console.log(`--without ${name.padEnd(22)} ${what}`);
} else process.exitCode = await main();

/** @returns the exit code */
async function main(): Promise<number> {
  const { queue, storage } = values;
  if (queue !== 'postgres' && queue !== 'redis') refuse('chaos', '--queue takes postgres or redis');
  if (storage !== 'folder' && storage !== 's3') refuse('chaos', '--storage takes folder or s3');
  const only = values.only?.split(',');
  const drawn = only ? only.map((name) => named(faults, name)) : faults;
  const guard = values.without === undefined ? undefined : named(guards, values.without);
  const number = (option: string, text: string) => wholeNumber('chaos', `--${option}`, text);
  const seed = seedOf('chaos', values.seed);
  const onlyRun = values['only-run'];
  const seeds =
    onlyRun === undefined ? seedsOf(seed, number('runs', values.runs)) : [number('only-run', onlyRun)];
  const command = [
    'npm run campaign -- chaos',
    ...(queue === 'postgres' ? [] : [`--queue ${queue}`]),
    ...(storage === 'folder' ? [] : [`--storage ${storage}`]),
    ...(only ? [`--only ${values.only}`] : []),
    ...(guard ? [`--without ${guard.name}`] : []),
  ].join(' ');
  const runs = onlyRun === undefined ? `--runs ${seeds.length} --seed ${seed}` : `--only-run ${onlyRun}`;
  console.log(`${command} ${runs}`);
  console.log(describeMachine());

  const folder = await mkdtemp(join(tmpdir(), 'packshot-chaos-'));
  const results: RunResult[] = [];
  let isStopping = false;
  void shutdownRequested().then(() => {
    isStopping = true;
    console.log('stopping after this run');
  });
  const kept: string[] = [];
  const findings = await runCampaign({
    seeds,
    faults: drawn,
    queue,
    storage,
    folder,
    guard,
    onStart(stack, possible) {
      const left = only ? drawn.filter((fault) => !possible.includes(fault)) : [];
      if (left.length > 0) throw new Error(`not possible here: ${left.map(({ name }) => name).join(', ')}`);
      console.log(`${possible.length} kinds of fault`);
      const disk = stack.storage.kind === 'folder' ? stack.storage.disk : undefined;
      if (disk instanceof Error) console.log(`without disk-full: ${disk.message}`);
    },
    async onRun(result, number) {
      results.push(result);
      if (result.violations.length === 0) {
        if (number % 10 === 0) console.log(`${number} runs`);
        return !isStopping;
      }
      console.log(describeViolation(result, number, command));
      const logs = `${folder}-run-${result.seed}`;
      await cp(join(folder, 'logs'), logs, { recursive: true });
      kept.push(logs);
      console.log(`  logs: ${logs}`);
      return guard === undefined && !isStopping;
    },
  });
  await rm(folder, { recursive: true, force: true });
  for (const { id, problem } of findings) console.log(`AUDIT AT THE END: ${id}: ${problem}`);
  console.log(`\n${summarise(results)}`);
  const violating = results.filter(({ violations }) => violations.length > 0).length;
  console.log(
    `\n${results.length} runs, ${violating} with violations, ${findings.length} findings of the audit at the end`,
  );
  return violating + findings.length > 0 ? 1 : 0;
}

function named<Item extends { name: string }>(items: readonly Item[], name: string): Item {
  const found = items.find((item) => item.name === name);
  return found ?? refuse('chaos', `there is no ${name}; --list prints the names`);
}
