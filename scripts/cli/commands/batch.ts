import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import Papa from 'papaparse';
import { fileNamePart } from '#contract/download-name.ts';
import { hasEnded } from '#contract/generation-states.ts';
import { imageSizeNames, imageSizes } from '#contract/image-sizes.ts';
import { imageStyleNames } from '#contract/image-styles.ts';
import { readCommandLine } from '#scripts/command-line.ts';
import type { Generation, Packshot } from '../client.ts';
import type { CommandContext } from '../context.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import {
  cancelImages,
  checkPresets,
  type ExportedFile,
  followImages,
  type ImageRequest,
  imagesLeft,
  isAddress,
  isRefusedForAll,
  reasonOf,
  requestImages,
  saveExport,
  saveImage,
} from '../images.ts';
import { type Product, readProducts } from '../product-table.ts';
import type { Output } from '../progress.ts';
import { countOf } from '../words.ts';

/** What became of a product. */
interface Outcome {
  product: Product;
  images: readonly Generation[];
  files: string[];
  exports: ExportedFile[];
  /** Why it was refused, or images are missing; empty otherwise. */
  problem: string;
}

/** `packshot batch`: the images of a table of products. Typed again, it goes on, and nothing is made twice. */
export async function batch(context: CommandContext): Promise<number> {
  const { folder, connect, print, signal, note } = context;
  const { values, words } = readCommandLine(
    'packshot',
    {
      typed: 'packshot batch',
      about:
        'Makes the images of a table of products: a CSV in UTF-8 with the columns sku, name, photos, scene and images, and a folder with the photos. Typed again, it goes on: what exists is not made again.',
      words: 'TABLE [FOLDER]',
      options: {
        scene: { takes: 'TEXT', about: 'for the products whose scene is empty' },
        size: { takes: imageSizeNames, default: 'square', about: 'the last one only on the Enterprise plan' },
        style: { takes: imageStyleNames, about: 'style of the images' },
        project: { takes: 'ID', about: 'project for the images; by default the default one' },
        export: {
          takes: 'PRESET',
          many: true,
          about:
            'also writes each image as a marketplace wants it; report.csv says which rules it does not obey',
        },
        out: { takes: 'FOLDER', default: 'packshot', about: 'folder for the images and report.csv' },
        'max-images': { takes: 'COUNT', about: 'how many images you agree to; without it you are asked' },
        json: { about: 'prints what became of each product as JSON' },
      },
    },
    context.words,
  );
  const table = resolve(folder, words[0]!);
  const photos = words[1] === undefined ? dirname(table) : resolve(folder, words[1]);
  const products = readProducts(table, photos, values.scene);
  const packshot = await connect();
  await checkPresets(packshot, values.export);
  await agree(context, packshot, products, values['max-images']);

  const out = resolve(folder, values.out);
  await mkdir(out, { recursive: true });
  const options = { ...imageSizes[values.size], style: values.style, projectId: values.project };
  const outcomes = products.map(
    (product): Outcome => ({ product, images: [], files: [], exports: [], problem: '' }),
  );
  let isStopped = false;
  try {
    await submitAll(packshot, outcomes, options, note, signal);
    signal.throwIfAborted();
    await followAll(packshot, outcomes, note, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    isStopped = true;
    replaceImages(outcomes, await cancelImages(packshot, imagesOf(outcomes)));
  }
  const names = new Set<string>();
  for (const outcome of outcomes) {
    try {
      await saveAll(packshot, outcome, values.export, out, names);
    } catch (error) {
      // The files of the others are written all the same.
      outcome.problem = (error as Error).message;
    }
  }
  const report = join(out, 'report.csv');
  await writeFile(report, reportOf(outcomes));

  const made = outcomes.reduce((sum, { files }) => sum + files.length, 0);
  const asked = products.reduce((sum, { images }) => sum + images, 0);
  if (values.json) print(JSON.stringify({ report, products: outcomes }, null, 2));
  else {
    for (const { product, problem } of outcomes)
      if (problem !== '') print(`line ${product.line}: ${problem}`);
    print(`${made} of ${countOf(asked, 'image')} in ${out}; report.csv says what became of each product`);
  }
  if (isStopped) return exitCodes.interrupted;
  const isDone = outcomes.every(({ problem }) => problem === '');
  return isDone && made === asked ? exitCodes.done : exitCodes.failed;
}

const imagesOf = (outcomes: readonly Outcome[]) => outcomes.flatMap(({ images }) => images);

/** Puts images as they are now in the place of what they were. */
function replaceImages(outcomes: readonly Outcome[], images: readonly Generation[]): void {
  const byId = new Map(images.map((image) => [image.id, image]));
  for (const outcome of outcomes) outcome.images = outcome.images.map(({ id }) => byId.get(id)!);
}

/** @throws CommandError unless a person has agreed to as many images, and as many are left */
async function agree(
  { ask, note }: CommandContext,
  packshot: Packshot,
  products: readonly Product[],
  agreed: number | undefined,
): Promise<void> {
  const images = products.reduce((sum, product) => sum + product.images, 0);
  const most = await imagesLeft(packshot);
  const cost = `${countOf(products.length, 'product')}, at most ${countOf(images, 'image')}; ${most} left`;
  note.write(`${cost}\n`);
  if (agreed === undefined) {
    if (!ask) throw new CommandError(`${cost}: agree with --max-images ${images}`, exitCodes.refused);
    if (!(await ask('Make them?'))) throw new CommandError('nothing was made', exitCodes.refused);
  } else if (images > agreed) {
    throw new CommandError(`${cost}, and --max-images is ${agreed}: nothing was made`, exitCodes.refused);
  }
}

/** How many products are sent at a time. */
const uploads = 3;

/** Asks for the images of all products. What is refused is noted; what would be refused for all ends it. */
async function submitAll(
  packshot: Packshot,
  outcomes: readonly Outcome[],
  options: Partial<ImageRequest>,
  note: Output,
  signal: AbortSignal,
): Promise<void> {
  const left = [...outcomes];
  let refusal: string | undefined;
  const submit = async () => {
    for (let outcome = left.shift(); outcome; outcome = left.shift()) {
      if (signal.aborted) return;
      if (refusal !== undefined) {
        outcome.problem = refusal;
        continue;
      }
      const { product } = outcome;
      const request: ImageRequest = {
        ...options,
        photos: product.photos,
        prompt: product.scene,
        productName: product.name || product.sku,
        sku: product.sku,
        numImages: product.images,
        maxImages: product.images,
      };
      try {
        outcome.images = await requestProduct(packshot, request);
      } catch (error) {
        outcome.problem = (error as Error).message;
        if (isRefusedForAll(error)) refusal = outcome.problem;
      }
      const sent = outcomes.filter(({ images, problem }) => images.length > 0 || problem !== '').length;
      show(note, `sent ${bar(sent, outcomes.length)}`);
    }
  };
  await Promise.all(Array.from({ length: uploads }, submit));
}

/** Asks for the images of a product. If all of an earlier request failed or were cancelled, they are asked for anew. */
async function requestProduct(packshot: Packshot, request: ImageRequest): Promise<Generation[]> {
  const key = await keyOf(request);
  for (let attempt = 1; ; attempt += 1) {
    const images = await requestImages(packshot, request, `${key}-${attempt}`);
    if (images.some(({ state }) => state !== 'failed' && state !== 'cancelled')) return images;
  }
}

/** The same request has the same key, so that a batch that is typed again makes nothing twice. */
async function keyOf({ photos, ...fields }: ImageRequest): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(fields));
  for (const photo of photos) {
    if (isAddress(photo)) hash.update(photo);
    else for await (const bytes of createReadStream(photo)) hash.update(bytes as Buffer);
  }
  return `packshot-batch-${hash.digest('hex')}`;
}

async function followAll(
  packshot: Packshot,
  outcomes: readonly Outcome[],
  note: Output,
  signal: AbortSignal,
): Promise<void> {
  await followImages(
    packshot,
    imagesOf(outcomes),
    (images) => {
      replaceImages(outcomes, images);
      const ended = images.filter(({ state }) => hasEnded(state)).length;
      show(note, `made ${bar(ended, images.length)}`);
    },
    signal,
  );
  if (note.isTTY) note.write('\n');
}

/** Writes the images of a product; those of several are numbered from 1, and so are products of one name. */
async function saveAll(
  packshot: Packshot,
  outcome: Outcome,
  presets: readonly string[],
  out: string,
  names: Set<string>,
): Promise<void> {
  const { product, images } = outcome;
  const wanted = fileNamePart(product.sku || product.name || `line-${product.line}`);
  let name = wanted;
  for (let number = 2; names.has(name.toLowerCase()); number += 1) name = `${wanted}-${number}`;
  names.add(name.toLowerCase());
  for (const image of images) {
    if (!image.image) {
      outcome.problem = reasonOf(image);
      continue;
    }
    const file = join(out, `${name}${images.length > 1 ? `-${image.set.index + 1}` : ''}.png`);
    await saveImage(packshot, image.id, file);
    outcome.files.push(file);
    for (const preset of presets) outcome.exports.push(await saveExport(packshot, image.id, preset, file));
  }
}

function reportOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ product, images, files, exports, problem }) => ({
    line: product.line,
    sku: product.sku,
    name: product.name,
    images: images.map(({ id }) => id).join(' '),
    used: images.filter(({ imageUsed }) => imageUsed).length,
    files: [...files, ...exports.map(({ file }) => file)].join('; '),
    'rules not obeyed': exports
      .filter(({ failedRules }) => failedRules.length > 0)
      .map(({ preset, failedRules }) => `${preset}: ${failedRules.join(', ')}`)
      .join('; '),
    problem,
  }));
  // A spreadsheet would run a cell that begins like a formula.
  return `${Papa.unparse(rows, { escapeFormulae: true })}\r\n`;
}

/** `#####-----  5 of 10` */
function bar(done: number, all: number): string {
  const width = 20;
  const full = all === 0 ? width : Math.round((done / all) * width);
  return `${'#'.repeat(full).padEnd(width, '-')}  ${done} of ${all}`;
}

function show(note: Output, line: string): void {
  note.write(note.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
}
