/** The CPU time of one generation by process, with small images and with images as large as those of photographs, of its image work, and its statements. */

import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { type CampaignStack, concurrency, onStack, previewsApart } from '#tests/campaigns/support/stack.ts';
import { createBenchSeller } from '#tests/support/connected-seller.ts';
import { childrenOf } from '#tests/support/memory.ts';
import { cpuMs, cpuMsWithoutChildren } from '#tests/support/process-usage.ts';
import { grainyPhoto, samplePhotoFile } from '#tests/support/sample-photo.ts';
import { ms } from '#tests/support/statistics.ts';
import { type ImageWork, measureImageWork } from './image-work.ts';
import { countStatementsOf, printStatements } from './statements.ts';

const productPhotoFile = join(rootFolder, 'scripts', 'local', 'photos', 'tea-tin-1.jpg');

/** CPU time for one generation in ms, by the name of the process. */
type Cost = Map<string, number>;

/** More generations would not change what one of them needs. */
const mostCounted = 100;

/** What generations of one size take. */
interface Measured {
  processes: Cost;
  imageWork: ImageWork;
  /** Images a second while one is made at a time, so that the cores are not full. */
  perSecond: number;
  /** Processes that have compared images. */
  matchers: number;
}

/** Packshot's own processes, and its stores. The others stand in for services outside. */
const counted = ['server', 'decoders', 'worker', 'matchers', 'queue', 'mongo'];

const childrenName: Readonly<Record<string, string>> = { server: 'decoders', worker: 'matchers' };

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/**
 * Prints the CPU time of each process for one generation, on a stack of its own for each size of images, and the statements.
 * @param count generations of each size
 * @param productMatch whether the images are compared with their photos, which takes several times as long as all else
 */
export async function benchCost(count: number, productMatch: boolean): Promise<void> {
  // Nothing stands out in the one with grain, so it would not be compared.
  const photo = productMatch ? await openAsBlob(productPhotoFile) : await grainyPhoto();
  const small = await measureCost(count, productMatch, []);
  const real = await measureCost(count, productMatch, ['--grain'], photo);
  console.log(
    `CPU time for one generation, ${count} of each size, ${concurrency} at a time, two previews, ${productMatch ? 'with' : 'without'} the product match`,
  );
  console.log(`      ${''.padEnd(30)}     small   real size`);
  const print = (name: string, cost: (measured: Measured) => number) =>
    console.log(`      ${name.padEnd(30)}${ms(cost(small)).padStart(10)}${ms(cost(real)).padStart(12)}`);
  for (const name of new Set([...counted, ...small.processes.keys()])) {
    print(name, ({ processes }) => processes.get(name) ?? 0);
  }
  print('the first six together', ({ processes }) => sum(counted.map((name) => processes.get(name) ?? 0)));
  console.log('    the image work alone, in one process, one after the other');
  for (const name of small.imageWork.keys()) print(name, ({ imageWork }) => imageWork.get(name) ?? 0);
  print('together', ({ imageWork }) => sum([...imageWork.values()]));
  if (productMatch) await printMatch(count, photo, small, real);
  printStatements(await countStatementsOf(Math.min(count, mostCounted)));
}

/** Prints what the comparisons cost and whether images wait for them, which a run without them shows. */
async function printMatch(count: number, photo: Blob, small: Measured, real: Measured): Promise<void> {
  const without = [await measureCost(count, false, []), await measureCost(count, false, ['--grain'], photo)];
  for (const [index, name] of ['small', 'real size'].entries()) {
    const { imageWork, processes, perSecond, matchers } = [small, real][index]!;
    const work = sum([...imageWork.values()]) + processes.get('matchers')!;
    const ratio = perSecond / without[index]!.perSecond;
    console.log(
      `${name}: image work and match ${ms(work).trim()} of processor time an image, ${matchers} comparisons at a time, ${ratio.toFixed(2)} of the images a second without match (${perSecond.toFixed(2)} while one is made at a time)`,
    );
  }
}

/** @param imageFlags of the image server @param photo by default the sample photo */
function measureCost(
  count: number,
  productMatch: boolean,
  imageFlags: readonly string[],
  photo?: Blob,
): Promise<Measured> {
  return onStack({ settings: { PRODUCT_MATCH: String(productMatch) }, imageFlags }, async (stack) => {
    await stack.images.set({ default: previewsApart });
    const seller = await createBenchSeller(stack);
    const make = async () => {
      const id = await seller.submit(photo);
      await seller.succeeded(id);
      return id;
    };
    const compared = async (ids: readonly string[]) => {
      if (productMatch) await Promise.all(ids.map((id) => seller.compared(id)));
    };
    // Warm-up.
    await compared(await pLimit(concurrency).map(Array(concurrency * 4).keys(), make));
    const before = usedSoFar(stack);
    const ids = await pLimit(concurrency).map(Array(count).keys(), make);
    await compared(ids);
    const after = usedSoFar(stack);
    const matchers = childrenOf(stack.process('worker').pid).length;
    const began = performance.now();
    const alone: string[] = [];
    while (alone.length < count) alone.push(await make());
    const perSecond = (count / (performance.now() - began)) * 1_000;
    await compared(alone);
    return {
      perSecond,
      matchers,
      processes: new Map([...after].map(([name, used]) => [name, (used - before.get(name)!) / count])),
      imageWork: await measureImageWork(stack, ids.at(-1)!, await fileOf(stack, photo)),
    };
  });
}

/** @returns the file of a photo, by default of the sample photo */
async function fileOf({ storageFolder }: CampaignStack, photo: Blob | undefined): Promise<string> {
  if (!photo) return samplePhotoFile;
  const file = join(storageFolder, 'incoming', 'uploaded.photo');
  await writeFile(file, Buffer.from(await photo.arrayBuffer()));
  return file;
}

/** The decoder processes are children of the server, and those that compare images of the worker; they have lines of their own. */
function usedSoFar({ processes }: CampaignStack): Cost {
  const used: Cost = new Map();
  for (const { name, pid } of processes) {
    const whole = cpuMs(pid);
    const children = childrenName[name];
    const own = children === undefined ? whole : cpuMsWithoutChildren(pid);
    used.set(name, own);
    if (children !== undefined) used.set(children, whole - own);
  }
  return used;
}
