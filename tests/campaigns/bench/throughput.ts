/**
 * (b) Generations per second with a provider without latency, compared with the bare loop, and the CPU time of each
 * process.
 */

import pLimit from 'p-limit';
import { type CampaignStack, concurrency } from '#tests/campaigns/support/stack.ts';
import type { BenchSeller } from '#tests/support/connected-seller.ts';
import { cpuMs } from '#tests/support/process-usage.ts';
import { samplePhotoFile } from '#tests/support/sample-photo.ts';
import { median, ms } from '#tests/support/statistics.ts';
import { runBareLoop } from './bare-loop.ts';
import { measureImageWork } from './image-work.ts';

interface Run {
  perSecond: number;
  /** CPU time of each process for one generation, in ms. */
  cpu: Map<string, number>;
}

/** Measures Packshot and the bare loop alternately, `rounds` times, and prints the medians. */
export async function benchThroughput(
  stack: CampaignStack,
  seller: BenchSeller,
  count: number,
  rounds: number,
): Promise<void> {
  const packshotRuns: Run[] = [];
  const bareRuns: Run[] = [];
  const bareRunsWithImageWork: Run[] = [];
  let lastId = '';
  const runPackshot = async () => {
    const began = performance.now();
    await pLimit(concurrency).map(Array(count).keys(), async () => {
      const id = await seller.submit();
      lastId = id;
      await seller.succeeded(id);
    });
    return performance.now() - began;
  };
  // Warm-up.
  await pLimit(concurrency).map(Array(concurrency * 4).keys(), async () =>
    seller.succeeded(await seller.submit()),
  );
  for (let round = 0; round < rounds; round += 1) {
    packshotRuns.push(await measureRun(stack, count, runPackshot));
    bareRuns.push(await measureRun(stack, count, () => runBareLoop(stack, count, false)));
    bareRunsWithImageWork.push(await measureRun(stack, count, () => runBareLoop(stack, count, true)));
  }
  console.log(
    `(b) generations per second, ${rounds} × ${count}, ${concurrency} at a time, alternating with the bare loop, medians`,
  );
  printRates(packshotRuns, bareRuns, 'bare loop', '   (aim: 0.7)');
  printRates(packshotRuns, bareRunsWithImageWork, 'bare loop with the image work');
  printCpuTimes(packshotRuns, bareRuns);
  await printImageWork(stack, lastId);
}

function printRates(
  packshotRuns: readonly Run[],
  bareRuns: readonly Run[],
  bareName: string,
  aim = '',
): void {
  const rate = (runs: readonly Run[]) => median(runs.map(({ perSecond }) => perSecond)).toFixed(1);
  const ratio = median(packshotRuns.map(({ perSecond }, index) => perSecond / bareRuns[index]!.perSecond));
  console.log(
    `    Packshot ${rate(packshotRuns)}   ${bareName} ${rate(bareRuns)}   ratio ${ratio.toFixed(2)}${aim}`,
  );
}

function printCpuTimes(packshotRuns: readonly Run[], bareRuns: readonly Run[]): void {
  console.log('    CPU time for one generation, by process (median)      Packshot   bare loop');
  for (const name of packshotRuns[0]!.cpu.keys()) {
    const cell = (runs: readonly Run[]) =>
      ms(median(runs.map(({ cpu }) => cpu.get(name) ?? Number.NaN))).padStart(10);
    console.log(`      ${name.padEnd(50)}${cell(packshotRuns)}${cell(bareRuns)}`);
  }
}

/** Prints the CPU time of image work that the bare loop does not do. @param id of a succeeded generation */
async function printImageWork(stack: CampaignStack, id: string): Promise<void> {
  console.log('    of which the bare loop does not do, measured separately:');
  for (const [name, time] of await measureImageWork(stack, id, samplePhotoFile)) {
    console.log(`      ${name.padEnd(55)} ${ms(time)}`);
  }
}

/** @param run processes `count` generations and returns the time it took in ms */
async function measureRun(stack: CampaignStack, count: number, run: () => Promise<number>): Promise<Run> {
  const ownCpuMs = () => {
    // Excludes the stack's processes, which are children of this one.
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  const meters: [name: string, read: () => number][] = [
    ...stack.processes.map(({ name, pid }): [string, () => number] => [name, () => cpuMs(pid)]),
    ['this process (load, and the whole bare loop)', ownCpuMs],
  ];
  const before = meters.map(([, read]) => read());
  const durationMs = await run();
  const cpu = new Map(meters.map(([name, read], index) => [name, (read() - before[index]!) / count]));
  return { perSecond: (count * 1_000) / durationMs, cpu };
}
