/** (b) Generations a second with a provider without latency, against the bare loop, and where the rest of the time goes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { normalise } from '#server/generations/decoder/normalise.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { storageKeys } from '#shared/platform/storage.ts';
import { verifiedPng } from '#worker/output.ts';
import { runBareLoop } from './bare-loop.ts';
import type { BenchSeller } from './seller.ts';
import { type BenchStack, concurrency } from './stack.ts';
import { cpuMs, inParallel, ms, quantile } from './statistics.ts';

interface Run {
  perSecond: number;
  /** CPU time of each process for one generation, in ms. */
  cpu: Map<string, number>;
}

/** Measures both in turn, `rounds` times, and prints the medians. */
export async function benchThroughput(
  stack: BenchStack,
  seller: BenchSeller,
  count: number,
  rounds: number,
): Promise<void> {
  const ours: Run[] = [];
  const bare: Run[] = [];
  let lastId = '';
  const packshot = async () => {
    const began = performance.now();
    await inParallel(count, concurrency, async () => {
      const id = await seller.submit();
      lastId = id;
      await seller.succeeded(id);
    });
    return performance.now() - began;
  };
  await inParallel(concurrency * 4, concurrency, async () => seller.succeeded(await seller.submit()));
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await measured(stack, count, packshot));
    bare.push(await measured(stack, count, () => runBareLoop(stack.config, count)));
  }
  const perSecond = (runs: Run[]) =>
    quantile(
      runs.map((run) => run.perSecond),
      0.5,
    );
  const ratio = quantile(
    ours.map((run, index) => run.perSecond / bare[index]!.perSecond),
    0.5,
  );
  console.log(
    `(b) generations a second, ${rounds} × ${count}, ${concurrency} at once, in turn with the bare loop, medians`,
  );
  console.log(
    `    Packshot ${perSecond(ours).toFixed(1)}   bare loop ${perSecond(bare).toFixed(1)}   ratio ${ratio.toFixed(2)}   (aim: 0.7)`,
  );

  console.log('    CPU time for one generation, by process (median)      Packshot   bare loop');
  for (const name of ours[0]!.cpu.keys()) {
    const part = (runs: Run[]) =>
      ms(
        quantile(
          runs.map((run) => run.cpu.get(name) ?? Number.NaN),
          0.5,
        ),
      ).padStart(10);
    console.log(`      ${name.padEnd(50)}${part(ours)}${part(bare)}`);
  }
  console.log('    of it, work that the bare loop does not do, timed by itself:');
  const sample = join(rootFolder, 'scripts', 'sample', 'coffee-cup.png');
  const upright = join(stack.config.storageFolder, 'incoming', 'sample.png');
  const image = await readFile(join(stack.config.storageFolder, storageKeys.image(lastId, 1)));
  const parts: [string, () => Promise<unknown>][] = [
    [
      'read the photo, make it upright sRGB without metadata',
      () => normalise({ path: sample, target: upright }),
    ],
    ["decode the provider's image, every pixel", () => verifiedPng(image, null)],
  ];
  for (const [what, work] of parts) console.log(`      ${what.padEnd(55)} ${ms(await cpuOf(work))}`);
}

/** CPU time of this process for one call, in ms: the mean of 30, after five to warm up. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  for (let index = 0; index < 5; index += 1) await work();
  const before = process.cpuUsage();
  for (let index = 0; index < 30; index += 1) await work();
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 1_000 / 30;
}

async function measured(stack: BenchStack, count: number, run: () => Promise<number>): Promise<Run> {
  const watched: [string, number][] = [
    ...stack.processes.map(({ name, pid }): [string, number] => [name, pid]),
    ['this process (load, and the whole bare loop)', 0],
  ];
  // Of this process alone: the others are its children.
  const own = () => (process.cpuUsage().user + process.cpuUsage().system) / 1_000;
  const used = (pid: number) => (pid === 0 ? own() : (cpuMs(pid) ?? Number.NaN));
  const before = watched.map(([, pid]) => used(pid));
  const took = await run();
  const cpu = new Map(watched.map(([name, pid], index) => [name, (used(pid) - before[index]!) / count]));
  return { perSecond: (count * 1_000) / took, cpu };
}
