/** `npm run bench -- cutout`: how well and how fast the local image renderer cuts products out of photos. */
import { cutProduct, loadCutter, UncuttableError } from '../../local/openai/cutout/cutout.ts';
import { intersectionOverUnion, type Mask } from '../../local/openai/cutout/pixels.ts';
import { quantile } from '../statistics.ts';
import { cutoutCases } from './cases.ts';
import { boundaryScore } from './score.ts';

const seed = 7;
const boundaryReach = 2;

interface Result {
  name: string;
  iou: number;
  boundary: number;
  ms: number;
  /** Why it was not cut; counts as a mask of nothing. */
  refused?: string;
}

/** Cuts every case and prints the ten worst and the figures over all. */
export async function benchCutout(): Promise<void> {
  await loadCutter();
  const results: Result[] = [];
  for await (const { name, photo, truth } of cutoutCases(seed))
    results.push(await cutCase(name, photo, truth));
  console.log(`cutout: ${results.length} cases, seed ${seed}; the worst ten by IoU:`);
  for (const result of results.toSorted((first, second) => first.iou - second.iou).slice(0, 10))
    print(result);
  const samples = results.filter(({ name }) => !name.includes('/'));
  const drawn = results.filter(({ name }) => name.startsWith('drawn '));
  const placed = results.filter((result) => !samples.includes(result) && !drawn.includes(result));
  summarise('the sample photos', samples);
  summarise('sample products before other backgrounds', placed);
  summarise('drawn products (thin, open, white, a pair)', drawn);
  summarise('all', results);
  const times = results.map(({ ms }) => ms);
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(
    `per cut: median ${quantile(times, 0.5).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms; ` +
      `peak RSS ${peak.toFixed(0)} MB, drawing and scoring of the cases included`,
  );
}

async function cutCase(name: string, photo: Buffer, truth: Mask): Promise<Result> {
  const start = performance.now();
  try {
    const { pixels, box } = await cutProduct(photo);
    const ms = performance.now() - start;
    const found: Mask = { ...truth, data: new Uint8Array(truth.data.length) };
    for (let index = 0; index < box.width * box.height; index += 1) {
      const x = box.left + (index % box.width);
      const y = box.top + Math.floor(index / box.width);
      found.data[y * truth.width + x] = pixels.data[index * 4 + 3]!;
    }
    return {
      name,
      iou: intersectionOverUnion(found, truth),
      boundary: boundaryScore(found, truth, boundaryReach),
      ms,
    };
  } catch (error) {
    if (!(error instanceof UncuttableError)) throw error;
    return { name, iou: 0, boundary: 0, ms: performance.now() - start, refused: error.reason };
  }
}

function print({ name, iou, boundary, ms, refused }: Result): void {
  const outcome = refused === undefined ? '' : `refused: ${refused}`;
  console.log(
    `  ${name.padEnd(34)} IoU ${iou.toFixed(3)}  F ${boundary.toFixed(3)}  ${ms.toFixed(0)} ms ${outcome}`,
  );
}

function summarise(title: string, results: Result[]): void {
  const mean = (pick: (result: Result) => number) =>
    (results.reduce((sum, result) => sum + pick(result), 0) / results.length).toFixed(3);
  const worst = Math.min(...results.map(({ iou }) => iou)).toFixed(3);
  const below = results.filter(({ iou }) => iou < 0.9).length;
  console.log(
    `${title}: ${results.length} cases, mean IoU ${mean(({ iou }) => iou)}, worst ${worst}, ${below} below 0.9, ` +
      `mean boundary F within ${boundaryReach} px ${mean(({ boundary }) => boundary)}`,
  );
}
