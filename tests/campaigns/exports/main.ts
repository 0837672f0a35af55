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
import { pixelDifference } from '#tests/support/colour-difference.ts';
import { median } from '#tests/support/statistics.ts';
import { inWhite, type OnWhite, putOnWhite } from './pictures.ts';

const {
  values: { seed, photos: folder, half, side, timed: timedPhotos, keep },
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
    timed: { takes: 'COUNT', default: 8, about: 'photographs whose exports are timed as well' },
    keep: { takes: 'FOLDER', about: 'to which the file of each preset is written, to look at it' },
  },
});

/** An outline is right that is off by at most this part of the product's longer side. */
const sureOutline = 0.02;
/** Confidence of a cut from which its mask is taken for the true one. */
const sureCut = 0.93;
const products = { 'as it is': (product: Pixels) => product, 'in white': inWhite };
const backgrounds = ['#ffffff', '#f6f5f3'];
/** With the outline of the product and without it, otherwise with the same work. */
const timed = ['amazon-main', 'amazon-secondary'] as const;

/** What an export did to one picture. */
interface Result {
  name: string;
  product: string;
  background: string;
  isClear: boolean;
  /** Part of the product's pixels that have changed, and their difference: on average of all of them, and at most. */
  changed: number;
  mean: number;
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
        const result = { name, product, background, ...(await measure(path, picture)) };
        results.push(result);
        if (result.changed > 0 || !(result.outline <= sureOutline)) printResult(result);
        if (keep !== undefined || cut <= timedPhotos)
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
  const begun = process.cpuUsage();
  const found = await whitenForExport(pixels);
  addTime('whitening alone', begun);
  let [all, changed, sum, most] = [0, 0, 0, 0];
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
    const at = pixel * 4;
    if ([0, 1, 2].every((channel) => before[at + channel] === pixels.data[at + channel])) continue;
    const difference = pixelDifference(before, pixels.data, at);
    changed += 1;
    sum += difference;
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
  return { isClear: found.isClear, changed: changed / all, mean: sum / all, most, outline };
}

/** Exports a picture in each preset, or without `--keep` in two: with the outline of the product and without it. */
async function exportAll(path: string, name: string): Promise<void> {
  for (const preset of keep === undefined ? timed : exportPresetIds) {
    const { rules, format: wanted } = exportPreset(preset);
    const format = wanted ?? 'png';
    const begun = process.cpuUsage();
    const made = { productName: name, sourceType: 'composite' } as const;
    const outcome = await exportImage({ path, rules, format, quality: null, ...made });
    addTime(preset, begun);
    if (!('result' in outcome)) throw new Error(`${name} was not exported for ${preset}`);
    if (keep === undefined) continue;
    const { file, facts } = outcome.result;
    const fails = checkRules(rules, facts, file.byteLength).filter((rule) => rule.outcome === 'fails');
    for (const rule of fails) console.log(`${name}, ${preset}: ${rule.name} fails, ${rule.measured}`);
    writeFileSync(
      join(keep, `${name} ${preset}.${exportFormatNames[format].extension}`.replaceAll(' ', '-')),
      file,
    );
  }
}

/** Adds the processor time since `begun`. */
function addTime(step: string, begun: NodeJS.CpuUsage): void {
  const { user, system } = process.cpuUsage(begun);
  times.set(step, [...(times.get(step) ?? []), (user + system) / 1_000]);
}

function percent(part: number): string {
  return `${(100 * part).toFixed(2)} %`;
}

function printResult({ name, product, background, isClear, changed, mean, most, outline }: Result): void {
  const known = isClear ? `outline off by ${percent(outline)}` : 'outline not known';
  const difference = `ΔE mean ${mean.toFixed(3)}, at most ${most.toFixed(1)}`;
  console.log(`${name} ${product} on ${background}: ${known}, ${percent(changed)} changed, ${difference}`);
}

function print(): void {
  console.log(
    '\n| product | background | outline known | no pixel of the product changed | most that changed | ΔE₀₀ mean, most | outline within 2 % | worst |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const [group, of] of Map.groupBy(
    results,
    ({ product, background }) => `| ${product} | ${background} |`,
  )) {
    const clear = of.filter(({ isClear }) => isClear);
    const kept = of.filter(({ changed }) => changed === 0).length;
    const mostOf = (field: 'changed' | 'mean' | 'most') => Math.max(...of.map((each) => each[field]));
    const differences = `${mostOf('mean').toFixed(3)}, ${mostOf('most').toFixed(1)}`;
    const outlines = clear.map(({ outline }) => outline);
    const within = outlines.filter((outline) => outline <= sureOutline).length;
    console.log(
      `${group} ${clear.length} of ${of.length} | ${kept} of ${of.length} | ${percent(mostOf('changed'))} | ${differences} | ${within} of ${clear.length} | ${percent(Math.max(...outlines))} |`,
    );
  }
  console.log('\n| step | processor time, median and most | pictures |\n| --- | --- | --- |');
  for (const [step, each] of times)
    console.log(
      `| ${step} | ${median(each).toFixed(0)} ms, ${Math.max(...each).toFixed(0)} ms | ${each.length} |`,
    );
}
