/** The CPU time of one generation by process, with small images and with images as large as those of photographs, of its image work, and its statements. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { type CampaignStack, concurrency, onStack, previewsApart } from '#tests/campaigns/support/stack.ts';
import { createBenchSeller } from '#tests/support/connected-seller.ts';
import { cpuMs, cpuMsWithoutChildren } from '#tests/support/process-usage.ts';
import { grainyPhoto, samplePhotoFile } from '#tests/support/sample-photo.ts';
import { ms } from '#tests/support/statistics.ts';
import { type ImageWork, measureImageWork } from './image-work.ts';
import { countStatementsOf, printStatements } from './statements.ts';

/** CPU time for one generation in ms, by the name of the process. */
type Cost = Map<string, number>;

/** More generations would not change what one of them needs. */
const mostCounted = 100;

/** What generations of one size take. */
interface Measured {
  processes: Cost;
  imageWork: ImageWork;
}

/** Packshot's own processes, and its stores. The others stand in for services outside. */
const counted = ['server', 'decoders', 'worker', 'queue', 'mongo'];

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/**
 * Prints the CPU time of each process for one generation, on a stack of its own for each size of images, and the statements.
 * @param count generations of each size
 * @param productMatch whether the images are compared with their photos, which takes several times as long as all else
 */
export async function benchCost(count: number, productMatch: boolean): Promise<void> {
  const small = await measureCost(count, productMatch, []);
  const real = await measureCost(count, productMatch, ['--grain'], await grainyPhoto());
  console.log(
    `CPU time for one generation, ${count} of each size, ${concurrency} at a time, two previews, ${productMatch ? 'with' : 'without'} the product match`,
  );
  console.log(`      ${''.padEnd(30)}     small   real size`);
  const print = (name: string, cost: (measured: Measured) => number) =>
    console.log(`      ${name.padEnd(30)}${ms(cost(small)).padStart(10)}${ms(cost(real)).padStart(12)}`);
  for (const name of new Set([...counted, ...small.processes.keys()])) {
    print(name, ({ processes }) => processes.get(name) ?? 0);
  }
  print('the first five together', ({ processes }) => sum(counted.map((name) => processes.get(name) ?? 0)));
  console.log('    the image work alone, in one process, one after the other');
  for (const name of small.imageWork.keys()) print(name, ({ imageWork }) => imageWork.get(name) ?? 0);
  print('together', ({ imageWork }) => sum([...imageWork.values()]));
  printStatements(await countStatementsOf(Math.min(count, mostCounted)));
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
    let lastId = '';
    const make = async () => {
      const id = await seller.submit(photo);
      lastId = id;
      await seller.succeeded(id);
    };
    // Warm-up.
    await pLimit(concurrency).map(Array(concurrency * 4).keys(), make);
    const before = usedSoFar(stack);
    await pLimit(concurrency).map(Array(count).keys(), make);
    const after = usedSoFar(stack);
    return {
      processes: new Map([...after].map(([name, used]) => [name, (used - before.get(name)!) / count])),
      imageWork: await measureImageWork(stack, lastId, await fileOf(stack, photo)),
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

/** The decoder processes are children of the server; they have a line of their own. */
function usedSoFar({ processes }: CampaignStack): Cost {
  const used: Cost = new Map();
  for (const { name, pid } of processes) {
    const whole = cpuMs(pid);
    if (name !== 'server') used.set(name, whole);
    else {
      const own = cpuMsWithoutChildren(pid);
      used.set('server', own).set('decoders', whole - own);
    }
  }
  return used;
}
