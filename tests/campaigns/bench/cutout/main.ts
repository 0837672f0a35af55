/** `npm run campaign -- bench cutout [seed]`: measures accuracy and speed of the local image renderer's cutouts. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { intersectionOverUnion, type Mask } from '#shared/cutout/pixels.ts';
import { quantile } from '#tests/support/statistics.ts';
import { type CutoutCase, cutoutCases } from './cases.ts';
import type { CutReport } from './cutter-process.ts';
import { boundaryScore } from './score.ts';

const boundaryReach = 2;
const cutTimeoutMs = 60_000;

interface Result {
  name: string;
  iou: number;
  boundary: number;
  ms: number;
  /** Peak memory of the cutting process so far. */
  peakRssMegabytes: number;
  /** Why it could not be cut out; scored as an empty mask. */
  failure: string | undefined;
}

/** Cuts out every case and prints the ten worst and the overall figures. @param seed of the composites */
export async function benchCutout(seed: number): Promise<void> {
  const cutter = fork(new URL('cutter-process.ts', import.meta.url), {
    serialization: 'advanced',
    // The environment in which `npm start` runs the stand-ins.
    env: childEnvironment({}),
  });
  const results: Result[] = [];
  try {
    for await (const test of cutoutCases(seed)) results.push(await cutCase(cutter, test));
  } finally {
    cutter.kill();
  }
  console.log(`cutout: ${results.length} cases, seed ${seed}; the worst ten by IoU:`);
  for (const result of results.toSorted((first, second) => first.iou - second.iou).slice(0, 10))
    print(result);
  const samples = results.filter(({ name }) => !name.includes('/'));
  const drawn = results.filter(({ name }) => name.startsWith('drawn '));
  const placed = results.filter((result) => !samples.includes(result) && !drawn.includes(result));
  summarise('the sample photos', samples);
  summarise('sample products on other backgrounds', placed);
  summarise('drawn products (thin, open, white, a pair)', drawn);
  summarise('all', results);
  const times = results.map(({ ms }) => ms);
  const peak = Math.max(...results.map(({ peakRssMegabytes }) => peakRssMegabytes));
  console.log(
    `per cut: median ${quantile(times, 0.5).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms; ` +
      `peak RSS of the cutting process ${peak.toFixed(0)} MB`,
  );
}

async function cutCase(cutter: ChildProcess, { name, photo, truth }: CutoutCase): Promise<Result> {
  const answer = once(cutter, 'message', { signal: AbortSignal.timeout(cutTimeoutMs) });
  cutter.send(photo);
  const [{ alpha, box, failure, ms, peakRssMegabytes }] = (await answer) as [CutReport];
  const found: Mask = { ...truth, data: new Uint8Array(truth.data.length) };
  for (let row = 0; row < box.height; row += 1) {
    const start = (box.top + row) * truth.width + box.left;
    found.data.set(alpha.subarray(row * box.width, (row + 1) * box.width), start);
  }
  return {
    name,
    iou: intersectionOverUnion(found, truth),
    boundary: boundaryScore(found, truth, boundaryReach),
    ms,
    peakRssMegabytes,
    failure,
  };
}

function print({ name, iou, boundary, ms, failure }: Result): void {
  const outcome = failure === undefined ? '' : `not cut out: ${failure}`;
  console.log(
    `  ${name.padEnd(34)} IoU ${iou.toFixed(3)}  F ${boundary.toFixed(3)}  ${ms.toFixed(0)} ms ${outcome}`,
  );
}

/** A refused photo is no wrong cutout: both are counted, and the mask of a refused one is empty in the second mean. */
function summarise(title: string, results: Result[]): void {
  const cut = results.filter(({ failure }) => failure === undefined);
  const mean = (of: Result[], pick: (result: Result) => number) =>
    (of.reduce((sum, result) => sum + pick(result), 0) / of.length).toFixed(3);
  const iou = (result: Result) => result.iou;
  const worst = Math.min(...cut.map(iou)).toFixed(3);
  const below = cut.filter((result) => result.iou < 0.9).length;
  const boundary = mean(cut, (result) => result.boundary);
  console.log(
    `${title}: ${results.length - cut.length} of ${results.length} refused; of the others mean IoU ${mean(cut, iou)}, worst ${worst}, ${below} below 0.9, mean boundary F within ${boundaryReach} px ${boundary}; mean IoU of all ${mean(results, iou)}`,
  );
}
