/** Reads the table of a batch, and finds the photos that it names. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';
import { cutText } from '#contract/cut-text.ts';
import { limits } from '#contract/limits.ts';
import { CommandError } from './exit-codes.ts';
import { isAddress } from './images.ts';

/** A row of the table. */
export interface Product {
  /** In the file, from 1. */
  line: number;
  sku: string;
  name: string;
  scene: string;
  images: number;
  /** Paths of files, or addresses. */
  photos: string[];
}

const columns = ['sku', 'name', 'photos', 'scene', 'images'] as const;
type Column = (typeof columns)[number];

/** The names that a column may have besides its own, in lower case. */
const otherNames: Readonly<Record<string, Column>> = {
  'variant sku': 'sku',
  'product name': 'name',
  title: 'name',
  photo: 'photos',
  image: 'photos',
  'image src': 'photos',
  prompt: 'scene',
};

/** The most problems of a table that are printed. */
const problemsShown = 10;

/**
 * Reads a table with a header, in UTF-8: comma, semicolon, tab or vertical bar between the cells.
 * @param folder where the photos are
 * @param sceneForAll for rows without one; undefined: each needs its own
 * @throws CommandError that lists what is wrong, by line
 */
export function readProducts(file: string, folder: string, sceneForAll: string | undefined): Product[] {
  const { data, meta } = Papa.parse<Record<string, string>>(readText(file).replace(/^\ufeff/, ''), {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (name) => {
      const plain = name.trim().toLowerCase();
      return otherNames[plain] ?? plain;
    },
  });
  if (!meta.fields?.includes('photos')) {
    throw new CommandError(
      `${file} has no column photos: the first line names the columns ${columns.join(', ')}`,
    );
  }
  if (data.length === 0) throw new CommandError(`${file} has no products`);
  const names = namesIn(folder);
  const problems: string[] = [];
  const products = data.map((cells, index) => {
    const cell = (column: Column) => cells[column]?.trim() ?? '';
    const images = cell('images') === '' ? 1 : Number(cell('images'));
    const product: Product = {
      line: index + 2,
      sku: cell('sku'),
      name: cutText(cell('name'), limits.productNameCharacters),
      scene: cell('scene') || sceneForAll || '',
      images,
      photos: [],
    };
    const say = (problem: string) => problems.push(`line ${product.line}: ${problem}`);
    if (product.scene === '') say('there is no scene: name one in the table, or with --scene');
    if (!Number.isInteger(images) || images < 1 || images > limits.imagesPerRequest) {
      say(`images must be 1 to ${limits.imagesPerRequest}`);
    }
    const given = cell('photos')
      .split(/[;|\n]|,(?=\s*(?:https:|[^,]*\.\w+\s*(?:,|$)))/)
      .map((photo) => photo.trim())
      .filter((photo) => photo !== '');
    if (given.length === 0 || given.length > limits.photos) say(`a product has 1 to ${limits.photos} photos`);
    for (const photo of given) {
      const found = isAddress(photo) ? photo : names.get(plainName(photo));
      if (found === undefined) say(`there is no photo ${photo} in ${folder}`);
      else product.photos.push(found);
    }
    if (new Set(product.photos.map(isAddress)).size > 1) say('photos are files or addresses, not both');
    return product;
  });
  if (problems.length > 0) {
    const more = problems.length - problemsShown;
    const shown = problems.slice(0, problemsShown).map((problem) => `\n  ${problem}`);
    throw new CommandError(`nothing was made:${shown.join('')}${more > 0 ? `\n  and ${more} more` : ''}`);
  }
  return products;
}

function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const isEncoding = error instanceof TypeError;
    throw new CommandError(isEncoding ? `${file} is not in UTF-8` : `${file} cannot be read`);
  }
}

/** Names are compared without capitals and without the folder; composed, since macOS stores é as two characters. */
const plainName = (name: string) =>
  name
    .replace(/^.*[/\\]/, '')
    .normalize('NFC')
    .toLowerCase();

/** The files in a folder and those below it, by their names. */
function namesIn(folder: string): Map<string, string> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new CommandError(`there is no folder ${folder}`);
  }
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(entries.map(({ parentPath, name }) => [plainName(name), join(parentPath, name)]));
}
