import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, parse, resolve } from 'node:path';
import { cutText } from '#contract/cut-text.ts';
import { downloadName } from '#contract/download-name.ts';
import { hasEnded } from '#contract/generation-states.ts';
import { imageSizeNames, imageSizes } from '#contract/image-sizes.ts';
import { imageStyleNames } from '#contract/image-styles.ts';
import { limits } from '#contract/limits.ts';
import { readCommandLine } from '#scripts/command-line.ts';
import { type Generation, type Packshot, PackshotError } from '../client.ts';
import type { CommandContext } from '../context.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import {
  cancelImages,
  checkPresets,
  type ExportedFile,
  followImages,
  imagesLeft,
  isAddress,
  reasonOf,
  requestImages,
  saveExport,
  saveImage,
} from '../images.ts';
import { startProgress } from '../progress.ts';
import { countOf } from '../words.ts';

/** `packshot generate`: makes images of one product, waits for them and writes their files. */
export async function generate(context: CommandContext): Promise<number> {
  const { folder, connect, signal, print, note, defaults } = context;
  const { values, words } = readCommandLine(
    'packshot',
    {
      typed: context.typed ?? 'packshot generate',
      about: `Makes images of a product from 1 to ${limits.photos} photos: files, or addresses that begin with https://.`,
      words: defaults ? '[PHOTO…]' : 'PHOTO…',
      options: {
        scene: { takes: 'TEXT', default: defaults?.scene ?? '', about: 'description of the scene' },
        n: {
          takes: 'COUNT',
          most: limits.imagesPerRequest,
          default: 1,
          about: `images to make, at most ${limits.imagesPerRequest}; each counts`,
        },
        name: { takes: 'TEXT', about: "name of the product; by default the first photo's file name" },
        sku: { takes: 'TEXT', about: 'your number of the product' },
        size: { takes: imageSizeNames, default: 'square', about: 'the last one only on the Enterprise plan' },
        style: { takes: imageStyleNames, about: 'style of the image' },
        seed: {
          takes: 'SEED',
          most: limits.seed,
          about: 'the same seed gives the same image, where the model can',
        },
        project: { takes: 'ID', about: 'project for the images; by default the default one' },
        export: {
          takes: 'PRESET',
          many: true,
          about: 'also writes the image as a marketplace wants it, and says which rules it does not obey',
        },
        out: {
          takes: 'FILE',
          about: 'file for the image, by default named after product and date; several are numbered',
        },
        'idempotency-key': {
          takes: 'TEXT',
          about: 'the same one with the same request again: the same images, and nothing is used',
        },
        json: { about: 'prints the images as JSON' },
      },
    },
    context.words,
  );
  const photos = words.length === 0 && defaults ? [defaults.photo] : words;
  if (values.scene === '') throw new CommandError('--scene must say what the image should show');
  const files = checkPhotos(photos, folder);
  const out = values.out === undefined ? undefined : resolve(folder, values.out);
  if (out !== undefined && !existsSync(dirname(out))) {
    throw new CommandError(`there is no folder ${dirname(out)} to write to`);
  }
  const packshot = await connect();
  const [left] = await Promise.all([leftText(packshot, signal), checkPresets(packshot, values.export)]);
  note.write(`at most ${countOf(values.n, 'image')}${left}\n`);
  const display = startProgress(note);
  const key = values['idempotency-key'] ?? randomUUID();
  let images: readonly Generation[] = [];
  try {
    images = await requestImages(
      packshot,
      {
        photos: files,
        prompt: values.scene,
        productName: cutText(values.name ?? productNameOf(photos[0]!), limits.productNameCharacters),
        sku: values.sku,
        projectId: values.project,
        numImages: values.n,
        ...imageSizes[values.size],
        style: values.style,
        seedValue: values.seed,
        maxImages: values.n,
      },
      key,
    );
    signal.throwIfAborted();
    images = await followImages(
      packshot,
      images,
      (newest) => {
        images = newest;
        display.show(newest);
      },
      signal,
    );
  } catch (error) {
    if (images.length === 0) throw withKey(error, key);
    if (!signal.aborted) throw error;
    throw new CommandError(stoppedText(await cancelImages(packshot, images)), exitCodes.interrupted);
  } finally {
    display.end();
  }

  const results = [];
  for (const image of images) {
    const wanted = out ?? join(folder, downloadName(image.productName, image.createdAt));
    const file = image.image && fileOf(image, wanted);
    const exports = [];
    if (file) {
      await saveImage(packshot, image.id, file);
      for (const preset of values.export) exports.push(await saveExport(packshot, image.id, preset, file));
    }
    results.push({ ...image, file, exports });
    if (values.json) continue;
    print(
      file
        ? `${file}: ${image.image!.width} × ${image.image!.height}${seedOf(image)}${markOf(image)}`
        : reasonOf(image),
    );
    for (const exported of exports) print(exportText(exported));
  }
  if (values.json) print(JSON.stringify({ images: results }, null, 2));
  const made = results.filter(({ file }) => file !== null).length;
  return made === results.length ? exitCodes.done : exitCodes.failed;
}

/** @throws CommandError for a photo that is not there, too many of them, and files beside addresses */
export function checkPhotos(photos: readonly string[], folder: string): string[] {
  if (photos.length > limits.photos) throw new CommandError(`a product has at most ${limits.photos} photos`);
  const addresses = photos.filter(isAddress).length;
  if (addresses === photos.length) return [...photos];
  if (addresses > 0) throw new CommandError('photos are files or addresses, not both');
  return photos.map((photo) => {
    const file = resolve(folder, photo);
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
      throw new CommandError(`there is no photo ${photo}`);
    }
    return file;
  });
}

/** The product's name: the photo's file name without a number at its end. */
function productNameOf(photo: string): string {
  const path = isAddress(photo) ? new URL(photo).pathname : photo;
  const name = basename(path, extname(path)).replaceAll(/[-_]+/g, ' ').trim();
  return name.replace(/ \d{1,2}$/, '');
}

/** The file for an image; those of several are numbered from 1. */
function fileOf({ set }: Generation, file: string): string {
  const { dir, name, ext } = parse(file);
  return set.size === 1 ? file : join(dir, `${name}-${set.index + 1}${ext}`);
}

function seedOf({ options: { seed } }: Generation): string {
  return seed === null ? '' : `, seed ${seed}`;
}

/** What is said of an image that a test key asked for. */
const markOf = ({ mode }: Generation) =>
  mode === 'test' ? ', a test with a watermark: it used no image' : '';

/** How many images are left, if the key may read that: images can be made without. */
async function leftText(packshot: Packshot, signal: AbortSignal): Promise<string> {
  try {
    return `; ${await imagesLeft(packshot, signal)} left`;
  } catch (error) {
    if (error instanceof PackshotError && error.code === 'API_KEY_SCOPE') return '';
    throw error;
  }
}

/** Without an answer of Packshot's own nobody knows whether a request was accepted: repeated with its key, it is not made twice. */
function withKey(error: unknown, key: string): unknown {
  if (!(error instanceof PackshotError) || (error.status > 0 && error.status < 500)) return error;
  return new CommandError(
    `${error.message} The request may have been accepted: type it again with --idempotency-key ${key}`,
    exitCodes.noAnswer,
  );
}

const exportText = ({ file, failedRules }: ExportedFile) =>
  `${file}${failedRules.length === 0 ? '' : `: does not obey ${failedRules.join(', ')}`}`;

/** What stopping has cost. @param images as they are afterwards */
function stoppedText(images: readonly Generation[]): string {
  const used = images.filter(({ imageUsed, state }) => imageUsed || !hasEnded(state)).length;
  if (used === 0) return 'interrupted: cancelled, no image was used';
  return `interrupted too late to cancel all of ${images.length}: ${countOf(used, 'image')} made or still being made; packshot list shows them`;
}
