import {
  asinRule,
  asinSchema,
  type BatchRow,
  defaultOptions,
  type ImageCapabilities,
  type ImageSize,
  imageOptionsOf,
  imageRatios,
  imageSizeNames,
  imageSizeOf,
  imageSizes,
  isolateName,
  type LookView,
  latinDigits,
  limits,
  productNameSchema,
  promptSchema,
  sceneTemplates,
  skuSchema,
  withTemplate,
} from '#contract';
import { baseName, type DroppedPhoto, type PhotoIndex, photoFileFault } from './photo-index.ts';
import type { Column, TableRow } from './table-row.ts';
import type { AddressState } from './use-addresses.ts';

/** What rows are read with. */
export interface TableContext {
  photos: PhotoIndex;
  looks: readonly LookView[];
  capabilities: ImageCapabilities;
  /** Whether the plan includes 2048 × 2048. */
  mayUse2k: boolean;
  /** Addresses of photos that are not there yet. */
  addresses: ReadonlyMap<string, AddressState>;
  /** How many rows have a SKU. */
  skuCounts: ReadonlyMap<string, number>;
}

type CellTexts = Partial<Record<Column, string>>;

/** What a row means. */
export interface ReadRow {
  /** Why the row cannot be used, by cell; empty for a row that is ready. */
  faults: CellTexts;
  /** What the seller should know, by cell. */
  notes: CellTexts;
  /** Each photo once. */
  photos: readonly DroppedPhoto[];
  /** What is sent for the row, besides its photos; takes count even if the row has faults elsewhere. */
  request: Omit<BatchRow, 'photos'>;
}

/** A long number as spreadsheets write it: its digits are lost. */
const shortened = /^\d([.,]\d+)?e\+\d+$/i;

/** How many rows have each SKU. */
export function countSkus(rows: readonly TableRow[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { sku } of rows) if (sku !== '') counts.set(sku, (counts.get(sku) ?? 0) + 1);
  return counts;
}

/** Reads a row: what it asks for, and what is wrong with it, in words at the cell. */
export function readRow(row: TableRow, context: TableContext): ReadRow {
  const faults: CellTexts = {};
  const notes: CellTexts = {};
  const photos = readPhotos(row.photos, context, faults);
  const look = findByName(context.looks, row.look, ({ name }) => name);
  if (row.look !== '' && !look) faults.look = `There is no look named “${isolateName(row.look)}”.`;
  const named = findByName(sceneTemplates, row.template, (name) => name);
  if (row.template !== '' && !named)
    faults.template = `There is no template named “${isolateName(row.template)}”.`;
  const template = named ?? look?.template ?? null;
  const size = sizeOf(row, look, context, faults);
  const options = look ? imageOptionsOf(look) : defaultOptions;
  if (options.background === 'transparent' && !context.capabilities.transparentBackground) {
    faults.look = 'The transparent background of this look is not available.';
  }
  const scene = row.scene || look?.scene || '';
  const prompt = template === null || scene === '' ? scene : withTemplate(template, scene);
  if (scene === '') {
    if (!faults.look) faults.scene = 'Describe the scene, or choose a look.';
  } else if (!promptSchema.safeParse(prompt).success) {
    const most = limits.promptCharacters.toLocaleString('en');
    faults.scene = `A scene must be plain text of at most ${most} characters.`;
  }
  if (!productNameSchema.safeParse(row.name).success) {
    faults.name = `A name must be plain text of at most ${limits.productNameCharacters} characters.`;
  }
  if (!skuSchema.safeParse(row.sku).success) {
    faults.sku = `A SKU must be plain text of at most ${limits.skuCharacters} characters.`;
  } else if (shortened.test(row.sku)) {
    faults.sku = 'A spreadsheet has shortened this number. Type it in full.';
  } else if ((context.skuCounts.get(row.sku) ?? 0) > 1) {
    notes.sku = 'Another row has the same SKU.';
  }
  const asin = asinSchema.safeParse(row.asin);
  if (!asin.success) faults.asin = asinRule;
  return {
    faults,
    notes,
    photos,
    request: {
      sku: row.sku,
      ...(asin.data && { asin: asin.data }),
      name: row.name,
      prompt,
      ...options,
      ...imageSizes[size],
      takes: takesOf(row, look, faults),
    },
  };
}

function readPhotos(
  names: readonly string[],
  { photos: index, addresses }: TableContext,
  faults: CellTexts,
): DroppedPhoto[] {
  const found = names.map((name) => ({ name, photo: index.find(name) }));
  const photos = found.flatMap(({ photo }) => (photo === null || photo === 'several' ? [] : [photo]));
  const missing = found.filter(({ photo }) => photo === null).map(({ name }) => name);
  const states = missing.flatMap((name) => addresses.get(name) ?? []);
  const failed = states.find((state) => state !== 'fetching');
  const unclear = found.find(({ photo }) => photo === 'several')?.name;
  const faulty = photos.find((photo) => photoFileFault(photo) !== null);
  if (names.length === 0) faults.photos = 'Add a photo.';
  else if (names.length > limits.photos) faults.photos = `A row can have at most ${limits.photos} photos.`;
  else if (failed) faults.photos = failed.fault;
  else if (states.length > 0) faults.photos = 'Its photos are being fetched.';
  else if (missing.length === 1) faults.photos = `Photo ${isolateName(missing[0]!)} is missing.`;
  else if (missing.length > 1) faults.photos = `Photos ${missing.map(isolateName).join(', ')} are missing.`;
  else if (unclear !== undefined)
    faults.photos = `Several photos are called ${isolateName(unclear)}. Add the folder to the name.`;
  else if (faulty) faults.photos = `Photo ${isolateName(baseName(faulty.path))} ${photoFileFault(faulty)}.`;
  return [...new Set(photos)];
}

function sizeOf(
  { size: cell }: TableRow,
  look: LookView | undefined,
  { capabilities, mayUse2k }: TableContext,
  faults: CellTexts,
): ImageSize {
  const named = cell === '' ? undefined : readSize(cell);
  const size = named ?? (look && imageSizeOf(look.width, look.height)) ?? 'square';
  if (cell !== '' && !named) {
    const sizes = capabilities.sizes.map((name) => name).join(', ');
    faults.size = `There is no size “${isolateName(cell)}”. Choose one of ${sizes}.`;
  } else if (!capabilities.sizes.includes(size)) {
    faults.size = `${pixelsOf(size)} is not available.`;
  } else if (size === 'square-2k' && !mayUse2k) {
    faults.size = `${pixelsOf(size)} is not part of your plan.`;
  }
  return size;
}

function takesOf({ takes: cell }: TableRow, look: LookView | undefined, faults: CellTexts): number {
  if (cell === '') return look?.numImages ?? 1;
  const takes = readTakes(cell);
  if (takes === undefined) faults.takes = `Choose 1 to ${limits.imagesPerRequest} takes.`;
  return takes ?? 1;
}

/** How many images a cell asks for; undefined if it names no number that is possible. */
export function readTakes(cell: string): number | undefined {
  // A spreadsheet may write a whole number with a fraction.
  const digits = latinDigits(cell).replace(/[.,٫]0+$/, '');
  const takes = /^\d{1,3}$/.test(digits) ? Number(digits) : 0;
  return takes >= 1 && takes <= limits.imagesPerRequest ? takes : undefined;
}

/** The one with a name, in upper or lower case. */
export function findByName<Item>(
  items: readonly Item[],
  name: string,
  nameOf: (item: Item) => string,
): Item | undefined {
  const wanted = name.trim().toLowerCase();
  return items.find((item) => nameOf(item).trim().toLowerCase() === wanted);
}

/** How the sizes are called. */
const sizeNames: Readonly<Record<ImageSize, string>> = {
  square: 'Square',
  'portrait-4-5': 'Portrait 4:5',
  portrait: 'Portrait',
  'portrait-9-16': 'Portrait 9:16',
  landscape: 'Landscape',
  'landscape-16-9': 'Landscape 16:9',
  'square-2k': 'Large square',
};

/** A size in pixels, `1024 × 1536`. */
export function pixelsOf(size: ImageSize): string {
  return `${imageSizes[size].width} × ${imageSizes[size].height}`;
}

/** The size that a cell names: `portrait`, `Large square`, `4:5`, or in pixels as `1024x1536`; undefined if there is none. */
export function readSize(cell: string): ImageSize | undefined {
  const wanted = latinDigits(cell).trim().toLowerCase();
  const pixels = /^(\d+)\s*[x×*]\s*(\d+)( ?px)?$/.exec(wanted);
  return imageSizeNames.find((name) => {
    if ([name, sizeNames[name].toLowerCase(), imageRatios[name]].includes(wanted)) return true;
    return imageSizes[name].width === Number(pixels?.[1]) && imageSizes[name].height === Number(pixels?.[2]);
  });
}
