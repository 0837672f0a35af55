/**
 * `npm run campaign -- match-report`: measures how often product match is right, and what it costs, with pairs of photos and
 * images made from photographs and sample photos.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from '#scripts/command-line.ts';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { createRandom } from '#tests/campaigns/bench/cutout/backgrounds.ts';
import { describeMachine } from '#tests/campaigns/support/machine.ts';
import { startRenderer } from '#tests/campaigns/support/render.ts';
import type { CheckOrder, CheckReport, MaskOrder } from './check-process.ts';
import { createPairs } from './pairs.ts';
import { findProducts, halves, readProducts, splitProducts } from './products.ts';
import { type CheckedPair, printPair, printSummary } from './report.ts';
import { readCup } from './samples.ts';

/** For a process that hangs: on a busy machine a mask takes a minute. */
const checkTimeoutMs = 600_000;

const {
  values: { seed, pairs, photos, half, each, out },
} = readCommandLine('match-report', {
  typed: 'npm run campaign -- match-report',
  about: 'Measures how often product match is right, and what it costs.',
  options: {
    seed: {
      takes: 'SEED',
      default: 20_261_128,
      about: 'of the halves, and of the pairs unless --pairs is given',
    },
    pairs: { takes: 'SEED', about: 'of the pairs alone: other places and lights of the same products' },
    photos: { takes: 'FOLDER', default: '../shared/products/real', about: 'with photographs of products' },
    half: {
      takes: halves,
      default: 'report',
      about: 'of the products: thresholds are chosen with the first, figures are of the second',
    },
    each: { takes: 'COUNT', default: 8, about: 'pairs of each kind' },
    out: { takes: 'FOLDER', about: 'where the pairs are kept, to look at' },
  },
});

const pairsSeed = pairs ?? seed;
const hasPhotographs = existsSync(photos);
if (!hasPhotographs)
  console.log(`there are no photographs in ${photos}: only the sample photos are compared`);
if (out !== undefined) mkdirSync(out, { recursive: true });
const checker = fork(new URL('check-process.ts', import.meta.url), {
  serialization: 'advanced',
  env: childEnvironment({}),
});
const renderer = startRenderer();
try {
  const split = splitProducts(createRandom(seed), findProducts(hasPhotographs ? photos : null));
  const products = await readProducts(split[half], findMask);
  console.log(
    `halves of seed ${seed}, pairs of seed ${pairsSeed}, ${half} half: ${products.length} products, ${describeMachine()}`,
  );
  console.log(products.map(({ name }) => name).join(', '));
  // In advance, so that loading the model and OpenCV does not count towards the first pair.
  const cup = readCup();
  const loading = await check({ photo: { name: 'loading', png: cup.png }, image: cup.png });
  const checked: CheckedPair[] = [];
  for await (const pair of createPairs(pairsSeed, renderer, products, each)) {
    const report = await check({ photo: pair.photo, image: pair.image });
    printPair(pair, report);
    checked.push({ name: pair.name, kind: pair.kind, report });
    if (out !== undefined) {
      const file = join(
        out,
        `${String(checked.length).padStart(3, '0')} ${pair.kind} ${pair.name}`.replaceAll(/[^\w.]+/g, '-'),
      );
      writeFileSync(`${file}.photo.png`, pair.photo.png);
      writeFileSync(`${file}.image.png`, pair.image);
    }
  }
  printSummary(checked);
  console.log(`the very first comparison, which loads the model and OpenCV: ${loading.cpuMs.toFixed(0)} ms`);
} finally {
  checker.kill();
  await renderer.close();
}

async function ask<Answer>(order: CheckOrder | MaskOrder): Promise<Answer> {
  const answer = once(checker, 'message', { signal: AbortSignal.timeout(checkTimeoutMs) });
  checker.send(order);
  const [reply] = (await answer) as [Answer];
  return reply;
}

function check(order: CheckOrder): Promise<CheckReport> {
  return ask(order);
}

async function findMask(png: Buffer): Promise<Buffer | null> {
  const mask = await ask<Uint8Array | null>({ maskOf: png });
  return mask && Buffer.from(mask);
}
