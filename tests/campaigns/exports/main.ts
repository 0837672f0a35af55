/**
 * `npm run campaign -- exports`: what exports change of products on white. The products are cut out of photographs, so that each
 * of their pixels is known; they are measured as they are, and in white.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportFormatNames, exportPreset, exportPresetIds } from '#contract';
import { readCommandLine, refuse } from '#scripts/command-line.ts';
import { exportImage } from '#server/decoder/export.ts';
import { whitenForExport } from '#server/decoder/export-background.ts';
import { readPixels } from '#server/decoder/read-pixels.ts';
import { checkRules } from '#server/images/check-rules.ts';
import { cutProduct } from '#shared/cutout/cutout.ts';
import type { Pixels } from '#shared/cutout/pixels.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { halfOf } from '#tests/campaigns/support/halves.ts';
import { describeMachine } from '#tests/campaigns/support/machine.ts';
import { inWhite, type OnWhite, putOnWhite } from './pictures.ts';

const {
  values: { seed, photos: folder, half, side, keep },
} = readCommandLine('exports', {
  typed: 'npm run campaign -- exports',
  about: 'Measures what exports change of products of photographs on white.',
  options: {
    seed: { takes: 'SEED', default: 39, about: 'of the halves' },
    photos: {
      takes: 'FOLDER',
      default: join(rootFolder, '../shared/products/real'),
      about: 'with photographs, product-number.jpg',
    },
    half: { takes: ['development', 'report', 'all'], default: 'all', about: 'of the products to measure' },
    side: { takes: 'COUNT', default: 1_024, about: 'of the images' },
    keep: { takes: 'FOLDER', about: 'to which the file of each preset is written, to look at it' },
  },
});

/** Confidence of a cut from which its mask is taken for the true one. */
const sureCut = 0.93;
const products = { 'as it is': (product: Pixels) => product, 'in white': inWhite };
const backgrounds = ['#ffffff', '#f6f5f3'];
const timed = ['amazon-main', 'amazon-secondary'] as const;

/** What an export did to one picture. */
interface Result {
  product: string;
  background: string;
  isClear: boolean;
  /** Parts of the product's pixels that have changed, and by how much at most, of 255. */
  changed: number;
  most: number;
  /** By how much the outline that was found is too large or too small on its worst side, as a part of the longer side. */
  outline: number;
}

const names = readdirSync(folder).flatMap((file) => (file.endsWith('.jpg') ? [file.slice(0, -4)] : []));
if (names.length === 0) refuse('exports', `${folder} has no photographs; name a folder by --photos`);
const work = mkdtempSync(join(tmpdir(), 'exports-'));
if (keep !== undefined) mkdirSync(keep, { recursive: true });
console.log(`seed ${seed}, half ${half}, ${side} px, ${describeMachine()}`);
const results: Result[] = [];
const times = new Map<string, number[]>();
let [cut, uncut] = [0, 0];
try {
  for (const name of halfOf(names, half, seed)) {
    const cutout = await cutProduct(readFileSync(join(folder, `${name}.jpg`))).catch(() => null);
    if (!cutout || cutout.confidence < sureCut || Object.values(cutout.touches).includes(true)) {
      uncut += 1;
      continue;
    }
    cut += 1;
    for (const [product, dress] of Object.entries(products)) {
      for (const background of backgrounds) {
        const picture = await putOnWhite(dress(cutout.pixels), { side, share: 0.6, background });
        const path = join(work, 'image.png');
        writeFileSync(path, picture.png);
        results.push({ product, background, ...(await measure(path, picture)) });
        await exportAll(path, `${name} ${product} ${background.slice(1)}`);
      }
    }
  }
} finally {
  rmSync(work, { recursive: true });
}
console.log(`${cut} photographs of products that are cut out for sure; ${uncut} others were left out`);
print();

/** Whitens a picture as an export does, and compares it with what is known of its product. */
async function measure(path: string, { opacity }: OnWhite) {
  const { pixels } = await readPixels(path);
  const before = pixels.data.slice();
  const found = await whitenForExport(pixels);
  let [all, changed, most] = [0, 0, 0];
  let [left, top, right, bottom] = [side, side, 0, 0];
  for (const [pixel, value] of opacity.entries()) {
    if (value < 128) continue;
    const [x, y] = [pixel % side, Math.floor(pixel / side)];
    [left, top, right, bottom] = [
      Math.min(left, x),
      Math.min(top, y),
      Math.max(right, x + 1),
      Math.max(bottom, y + 1),
    ];
    if (value < 255) continue;
    all += 1;
    let difference = 0;
    for (let at = pixel * 4; at < pixel * 4 + 3; at += 1)
      difference = Math.max(difference, Math.abs(before[at]! - pixels.data[at]!));
    if (difference > 0) changed += 1;
    most = Math.max(most, difference);
  }
  const box = found.product;
  const errors = box && [
    box.left - left,
    box.top - top,
    box.left + box.width - right,
    box.top + box.height - bottom,
  ];
  const longest = Math.max(right - left, bottom - top);
  const outline = errors ? Math.max(...errors.map(Math.abs)) / longest : Number.NaN;
  return { isClear: found.isClear, changed: changed / all, most, outline };
}

/** Exports a picture in each preset, or without `--keep` in two: with the outline of the product and without it. */
async function exportAll(path: string, name: string): Promise<void> {
  for (const preset of keep === undefined ? timed : exportPresetIds) {
    const format = exportPreset(preset).format ?? 'png';
    const begun = process.cpuUsage();
    const outcome = await exportImage({ path, preset, format, productName: name, sourceType: 'composite' });
    const { user, system } = process.cpuUsage(begun);
    if (!('result' in outcome)) throw new Error(`${name} was not exported for ${preset}`);
    times.set(preset, [...(times.get(preset) ?? []), (user + system) / 1_000]);
    if (keep === undefined) continue;
    const { file, facts } = outcome.result;
    const fails = checkRules(preset, facts, file.byteLength).filter((rule) => rule.outcome === 'fails');
    for (const rule of fails) console.log(`${name}, ${preset}: ${rule.name} fails, ${rule.measured}`);
    writeFileSync(
      join(keep, `${name} ${preset}.${exportFormatNames[format].extension}`.replaceAll(' ', '-')),
      file,
    );
  }
}

function print(): void {
  console.log(
    '\n| product | background | outline known | pixels of the product changed | outline within 2 % | worst |',
  );
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const [group, of] of Map.groupBy(
    results,
    ({ product, background }) => `| ${product} | ${background} |`,
  )) {
    const clear = of.filter(({ isClear }) => isClear);
    const kept = of.filter(({ changed }) => changed === 0).length;
    const changes = `none in ${kept} of ${of.length}, at most ${(100 * Math.max(...of.map(({ changed }) => changed))).toFixed(1)} % by ${Math.max(...of.map(({ most }) => most))} of 255`;
    const outlines = clear.map(({ outline }) => outline);
    const within = outlines.filter((outline) => outline <= 0.02).length;
    const worst = `${(100 * Math.max(...outlines)).toFixed(1)} %`;
    console.log(
      `${group} ${clear.length} of ${of.length} | ${changes} | ${within} of ${clear.length} | ${worst} |`,
    );
  }
  console.log('\n| preset | processor time of an export, median and most |\n| --- | --- |');
  for (const [preset, each] of times) {
    const sorted = each.toSorted((first, second) => first - second);
    console.log(
      `| ${preset} | ${sorted[sorted.length >> 1]!.toFixed(0)} ms, ${sorted.at(-1)!.toFixed(0)} ms |`,
    );
  }
}
