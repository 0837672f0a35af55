/** The products that pairs are made of, and their two halves: thresholds are chosen on one and reported on the other. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Random } from '#tests/campaigns/bench/cutout/backgrounds.ts';
import { cutOutByMask } from './pictures.ts';
import { maskedNames, type Place, readSample } from './samples.ts';

/** A product without its background: straight RGBA, cropped to what is visible. */
export interface Cut {
  data: Buffer;
  width: number;
  height: number;
}

/** A photo of a product. */
export interface ProductPhoto {
  name: string;
  /** Its pixels, without loss. */
  png: Buffer;
  /** White where the product is, of the photo's size; null if it is not known for sure. */
  mask: Buffer | null;
  /** Where the product has text, if that is known. */
  label: Place | null;
}

/** A product and its photos, one of each side that was photographed. */
export interface Product {
  name: string;
  family: string;
  photos: ProductPhoto[];
}

export const halves = ['development', 'report'] as const;
export type Half = (typeof halves)[number];

/** The name of a photo, and the folder that it is in if it is a photograph. */
interface PhotoName {
  name: string;
  folder: string | null;
}

/** A product and its photos before they are read. */
export interface NamedProduct {
  name: string;
  /** Products of one family look alike: cartons, shirts. */
  family: string;
  photos: PhotoName[];
}

/** The products of the sample photos, and of a folder with names such as `grocery-oatly-oat-milk-0.jpg`, if there is one. */
export function findProducts(folder: string | null): NamedProduct[] {
  const files = folder === null ? [] : readdirSync(folder).filter((name) => name.endsWith('.jpg'));
  const photos: PhotoName[] = [
    ...maskedNames.map((name) => ({ name, folder: null })),
    ...files.toSorted().map((file) => ({ name: file.replace('.jpg', ''), folder })),
  ];
  // The numbers of clothes count products, those of everything else count views.
  const nameOf = ({ name }: PhotoName) => (name.startsWith('clothes-') ? name : withoutNumber(name));
  return [...Map.groupBy(photos, nameOf)].map(([name, ofProduct]) => ({
    name,
    family: name.startsWith('grocery-') ? 'grocery' : withoutNumber(name),
    photos: ofProduct,
  }));
}

/** The mask of a photo; null if it cannot be found for sure. */
type FindMask = (png: Buffer) => Promise<Buffer | null>;

/** Reads the photos of products. @param findMask for those whose masks are not known */
export async function readProducts(
  products: readonly NamedProduct[],
  findMask: FindMask,
): Promise<Product[]> {
  const read: Product[] = [];
  for (const { name, family, photos } of products) {
    const ofProduct: ProductPhoto[] = [];
    for (const { name: photo, folder } of photos) {
      ofProduct.push(
        folder === null
          ? await readSample(photo)
          : await readPhotograph(join(folder, `${photo}.jpg`), findMask),
      );
    }
    read.push({ name, family, photos: ofProduct });
  }
  return read;
}

const withoutNumber = (name: string) => name.replace(/-\d+$/, '');

async function readPhotograph(path: string, findMask: FindMask): Promise<ProductPhoto> {
  const file = readFileSync(path);
  const png = await sharp(file).rotate().toColourspace('srgb').png().toBuffer();
  const name = path.replace(/^.*\/|\.jpg$/g, '');
  return { name, png, mask: await findMask(png), label: null };
}

/**
 * Splits products at random. Those of a family stay together, so that each half has products that look alike; cartons are
 * so many that half of them suffice.
 */
export function splitProducts(
  random: Random,
  products: readonly NamedProduct[],
): Record<Half, NamedProduct[]> {
  const groupOf = ({ name, family }: NamedProduct) => (family === 'grocery' ? name : family);
  const groups = Map.groupBy(products, groupOf);
  const split: Record<Half, NamedProduct[]> = { development: [], report: [] };
  for (const kind of ['grocery', 'clothes', '']) {
    const ofKind = [...groups.keys()].filter((name) => kindOf(name) === kind);
    shuffled(random, ofKind).forEach((name, index) => {
      split[halves[index % 2]!].push(...groups.get(name)!);
    });
  }
  return split;
}

const kindOf = (group: string) => ['grocery', 'clothes'].find((kind) => group.startsWith(kind)) ?? '';

/** The same items in another order. */
export function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, key: random() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ item }) => item);
}

/** The product of a photo by its mask, or of another version of the photo of the same size. */
export async function cutOut(photo: Buffer, mask: Buffer): Promise<Cut> {
  const cropped = sharp(await cutOutByMask(photo, mask));
  const { data, info } = await cropped.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
