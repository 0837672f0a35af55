/**
 * `npm run campaign -- chaos --runs N --seed S`: breaks a stack in random ways while sellers are at work, and checks after each run
 * that nothing is lost, counted twice or left behind (docs/chaos.md). Ends with 1 if a rule was violated.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shutdownRequested } from '#local/shutdown-request.ts';
import { readCommandLine, refuse, seedOf } from '#scripts/command-line.ts';
import { describeMachine } from '#tests/campaigns/support/machine.ts';
import { runCampaign, seedsOf } from './campaign.ts';
import { faults } from './faults/all.ts';
import { guards } from './guards/all.ts';
import { describeViolation, summarise } from './report.ts';
import type { RunResult } from './run.ts';

const { values } = readCommandLine('chaos', {
  typed: 'npm run campaign -- chaos',
  about:
    'Breaks a stack in random ways while sellers are at work, and checks that nothing is lost or counted twice.',
  options: {
    runs: { takes: 'COUNT', default: 40, about: 'how many runs' },
    seed: { takes: 'SEED', about: 'of the whole campaign; drawn and printed unless given' },
    'only-run': {
      takes: 'SEED',
      about: 'only the run with this seed of its own, which the report of a violation names',
    },
    only: { takes: 'FAULTS', about: 'only these faults, with commas between them' },
    without: {
      takes: 'GUARD',
      about: 'removes a guard; the campaign ends at the first violation, which it is to find',
    },
    queue: { takes: ['postgres', 'redis'], default: 'postgres', about: 'where the queue is' },
    storage: { takes: ['folder', 's3'], default: 'folder', about: 'where photos and images are' },
    list: { about: 'prints the faults and guards' },
  },
});

if (values.list) {
  for (const { name, hop } of faults) console.log(`${name.padEnd(32)} ${hop}`);
  for (const { name, what } of guards) console.log(`--without ${name.padEnd(22)} ${what}`);
} else process.exitCode = await main();

/** @returns the exit code */
async function main(): Promise<number> {
  const { queue, storage } = values;
  const only = values.only?.split(',');
  const drawn = only ? only.map((name) => named(faults, name)) : faults;
  const guard = values.without === undefined ? undefined : named(guards, values.without);
  const seed = seedOf(values.seed);
  const onlyRun = values['only-run'];
  const seeds = onlyRun === undefined ? seedsOf(seed, values.runs) : [onlyRun];
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
