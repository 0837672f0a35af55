/**
 * `npm run campaign -- copies`: how an image that is a copy of its photo differs from it, and one that is not, on photographs. They are
 * split by product with the seed: the limits of worker/generate/result-checks.ts were chosen on the first half.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCommandLine } from '#scripts/command-line.ts';
import { cutProduct, UncuttableError } from '#shared/cutout/cutout.ts';
import { createRandom } from '#tests/campaigns/bench/cutout/backgrounds.ts';
import { differenceOf, isCopyOf, reduced } from '#worker/generate/result-checks.ts';
import { thumbnailOf } from '#worker/generate/thumbnail.ts';
import { copies, others, type Staged, stageOnWhite } from './pictures.ts';

const {
  values: { seed, photos: folder },
} = readCommandLine('copies', {
  typed: 'npm run campaign -- copies',
  about: 'Measures how copies of photos and other images differ from them.',
  options: {
    seed: { takes: 'SEED', default: 39, about: 'of the halves' },
    photos: {
      takes: 'FOLDER',
      default: '../shared/products/real',
      about: 'with photographs, product-number.jpg',
    },
  },
});

const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jpg')).toSorted();
if (files.length === 0) {
  console.error(`${folder} has no photographs: name a folder with --photos.`);
  process.exit(1);
}
const productOf = (file: string) => file.replace(/-\d+\.jpg$/, '');
const random = createRandom(seed);
const products = [...new Set(files.map(productOf))]
  .map((name) => ({ name, order: random() }))
  .toSorted((first, second) => first.order - second.order)
  .map(({ name }) => name);
const halves = {
  development: products.slice(0, products.length >> 1),
  report: products.slice(products.length >> 1),
};
console.log(`seed ${seed}, ${folder}: ${files.length} photographs of ${products.length} products`);

for (const [half, names] of Object.entries(halves)) {
  const found: { kind: string; isCopy: boolean; called: boolean; whole: number; content: number }[] = [];
  let uncut = 0;
  for (const name of names) {
    const file = files.find((each) => productOf(each) === name)!;
    const bytes = await readFile(join(folder, file));
    const cutout = await cutProduct(bytes).catch((error) => {
      if (error instanceof UncuttableError) return undefined;
      throw error;
    });
    if (!cutout) {
      uncut += 1;
      continue;
    }
    for (const share of [0.15, 0.5]) {
      const staged: Staged = { product: cutout.pixels, share };
      const photo = await stageOnWhite(staged);
      for (const [isCopy, kinds] of [
        [true, copies],
        [false, others],
      ] as const) {
        for (const [kind, make] of Object.entries(kinds)) {
          const image = await thumbnailOf(await make(photo, staged));
          const thumbnail = await thumbnailOf(photo);
          const difference = differenceOf(reduced(image), reduced(thumbnail));
          found.push({
            kind: `${kind}, ${share * 100} %`,
            isCopy,
            called: isCopyOf(image, thumbnail),
            ...difference,
          });
        }
      }
    }
    for (const [kind, make] of Object.entries(copies)) {
      const [image, thumbnail] = [await thumbnailOf(await make(bytes)), await thumbnailOf(bytes)];
      const difference = differenceOf(reduced(image), reduced(thumbnail));
      found.push({
        kind: `${kind}, as photographed`,
        isCopy: true,
        called: isCopyOf(image, thumbnail),
        ...difference,
      });
    }
  }
  console.log(`\n${half} half: ${names.length} products, ${uncut} of them not cut out: ${names.join(', ')}`);
  for (const kind of [...new Set(found.map((each) => each.kind))]) {
    const of = found.filter((each) => each.kind === kind);
    const contents = of.map(({ content }) => content).toSorted((first, second) => first - second);
    const right = of.filter(({ isCopy, called }) => isCopy === called).length;
    const range = `${contents[0]!.toFixed(1)} to ${contents.at(-1)!.toFixed(1)}`;
    console.log(
      `| ${of[0]!.isCopy ? 'copy' : 'other'}: ${kind} | ${right} of ${of.length} right | content ${range} |`,
    );
  }
}
