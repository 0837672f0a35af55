/** The command line of `npm run demo`. */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  defaultOptions,
  type ExportPresetId,
  errorDefinitions,
  exportPresetIds,
  imageSizeNames,
  imageStyleNames,
  limits,
  sampleScene,
} from '#contract';
import { invocationFolder } from '#scripts/npm.ts';
import { demoSeller } from '#scripts/start/seller.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { DemoError, type Submission } from './client.ts';

/** The text of `--help`. */
export const usage = `Usage: npm run demo -- [PHOTO…] [--scene TEXT] [--n 1..4] [--size SIZE] [--export PRESET]
                              [--out FILE] [--url URL]
  PHOTO             up to ${limits.photos} product photos; without one, the mug in scripts/local/photos
  --scene TEXT      description of the scene
  --n NUMBER        takes of the scene, 1 to ${limits.imagesPerRequest}; each counts as an image
  --size SIZE       ${imageSizeNames.join(', ')} (the last one only for sellers on the Enterprise plan)
  --style STYLE     ${imageStyleNames.join(', ')}
  --seed NUMBER     0 to ${limits.seed}: the same seed and request give the same image, with the local renderer
  --export PRESET   also writes the image as a marketplace wants it, and says what each rule found:
                    ${exportPresetIds.join(', ')}
  --out FILE        file for the image; default <product name>-<date>.png in this folder; several takes are numbered
  --name TEXT       name of the product; default: the first photo's file name
  --url URL         address of a running Packshot; by default the command starts one
  --email, --password   seller to sign in as; default: the demo seller`;

const defaultScene = sampleScene('wooden-table');

/** What the command line asks for. */
export interface DemoOptions extends Submission {
  /** Undefined: a name made of product and date. */
  out: string | undefined;
  /** Undefined: no export. */
  exportPreset: ExportPresetId | undefined;
  url: string | undefined;
  email: string;
  password: string;
}

/**
 * Reads the command line. Paths are relative to the folder in which the user typed the command.
 * @throws DemoError, or the error of `parseArgs` for unknown options
 */
export function readOptions(): DemoOptions {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      scene: { type: 'string', default: defaultScene },
      out: { type: 'string' },
      name: { type: 'string' },
      url: { type: 'string' },
      n: { type: 'string', default: '1' },
      size: { type: 'string', default: 'square' },
      style: { type: 'string', default: defaultOptions.style },
      seed: { type: 'string' },
      export: { type: 'string' },
      email: { type: 'string', default: demoSeller.email },
      password: { type: 'string', default: demoSeller.password },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const photos =
    positionals.length > 0
      ? positionals.map((photo) => resolve(invocationFolder(), photo))
      : [join(rootFolder, 'scripts', 'local', 'photos', 'mug-1.jpg')];
  if (photos.length > limits.photos) throw new DemoError(errorDefinitions.TOO_MANY_FILES[1]);
  for (const photo of photos) {
    if (statSync(photo, { throwIfNoEntry: false })?.isFile() !== true) {
      throw new DemoError(`there is no photo ${displayPath(photo)}`);
    }
  }
  const out = values.out === undefined ? undefined : resolve(invocationFolder(), values.out);
  if (out !== undefined && !existsSync(dirname(out))) {
    throw new DemoError(`there is no folder ${displayPath(dirname(out))} to write to`);
  }
  if (values.url !== undefined && !/^https?:\/\//.test(values.url)) {
    throw new DemoError('--url takes an address that starts with http:// or https://');
  }
  return {
    photos,
    scene: values.scene,
    productName: (values.name ?? productNameOf(photos[0]!)).slice(0, limits.productNameCharacters),
    out,
    exportPreset: values.export === undefined ? undefined : oneOf('--export', values.export, exportPresetIds),
    url: values.url?.replace(/\/+$/, ''),
    numImages: wholeNumber('--n', values.n, 1, limits.imagesPerRequest),
    size: oneOf('--size', values.size, imageSizeNames),
    style: oneOf('--style', values.style, imageStyleNames),
    seed: values.seed === undefined ? undefined : wholeNumber('--seed', values.seed, 0, limits.seed),
    email: values.email,
    password: values.password,
  };
}

function oneOf<Value extends string>(option: string, value: string, allowed: readonly Value[]): Value {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new DemoError(`${option} takes one of: ${allowed.join(', ')}`);
  return found;
}

function wholeNumber(option: string, value: string, least: number, most: number): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new DemoError(`${option} takes a whole number from ${least} to ${most}`);
}

/** The product's name: the photo's file name without a number at its end. */
function productNameOf(photo: string): string {
  const name = basename(photo, extname(photo)).replaceAll(/[-_]+/g, ' ').trim();
  return name.replace(/ \d{1,2}$/, '');
}

/** A path as the user would type it. */
export function displayPath(file: string): string {
  const short = relative(invocationFolder(), file);
  return short.startsWith('..') ? file : short;
}
