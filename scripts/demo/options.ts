/** The command line of `npm run demo`. */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
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
import { readCommandLine } from '#scripts/command-line.ts';
import { invocationFolder } from '#scripts/npm.ts';
import { demoSeller } from '#scripts/start/demo-sellers.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { DemoError, type Submission } from './client.ts';

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
 * @throws DemoError
 */
export function readOptions(): DemoOptions {
  const { values, words } = readCommandLine('demo', {
    about: 'Creates images of product photos, with a Packshot of its own or a running one.',
    words: '[PHOTO…]',
    options: {
      scene: { takes: 'TEXT', default: defaultScene, about: 'description of the scene' },
      n: {
        takes: 'COUNT',
        most: limits.imagesPerRequest,
        default: 1,
        about: `takes of the scene, at most ${limits.imagesPerRequest}; each counts as an image`,
      },
      size: { takes: imageSizeNames, default: 'square', about: 'the last one only on the Enterprise plan' },
      style: { takes: imageStyleNames, default: defaultOptions.style, about: 'style of the image' },
      seed: {
        takes: 'SEED',
        most: limits.seed,
        about: 'the same seed and request give the same image, with the local renderer',
      },
      export: {
        takes: exportPresetIds,
        about: 'also writes the image as a marketplace wants it, and says what each rule found',
      },
      out: {
        takes: 'FILE',
        about: 'file for the image, by default named after product and date; several takes are numbered',
      },
      name: { takes: 'TEXT', about: "name of the product; by default the first photo's file name" },
      url: { takes: 'URL', about: 'address of a running Packshot; by default the command starts one' },
      email: { takes: 'ADDRESS', about: 'seller to sign in as; by default the demo seller' },
      password: { takes: 'PASSWORD', about: 'of that seller' },
    },
  });
  const photos =
    words.length > 0
      ? words.map((photo) => resolve(invocationFolder(), photo))
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
    exportPreset: values.export,
    url: values.url?.replace(/\/+$/, ''),
    numImages: values.n,
    size: values.size,
    style: values.style,
    seed: values.seed,
    email: values.email ?? demoSeller.email,
    password: values.password ?? demoSeller.password,
  };
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
