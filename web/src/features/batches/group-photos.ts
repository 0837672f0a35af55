import { cutText, limits } from '#contract';
import { baseName } from './photo-index.ts';

/** Photos that belong to one product, by their names. */
export interface PhotoGroup {
  /** As the pattern finds it; empty if the name does not fit it, or says nothing, such as that of a camera. */
  sku: string;
  /** In the order of their numbers. */
  paths: string[];
}

/** Patterns that are offered besides `automatic`, the usual ones first. */
export const skuPatterns = [
  '{sku}_{n}',
  '{sku}-{n}',
  '{sku} ({n})',
  '{sku}.{n}',
  '{sku}',
  '{folder}',
] as const;
/** Finds products by numbers at the end of the names. */
export const automatic = '';

/**
 * Names that cameras, phones and messengers give: their numbers count photos and not the photos of a product. Without a word
 * before it, only a date or a small number is one of them: shops name photos by SKU or EAN.
 */
const cameraName = new RegExp(
  `^([ _-]*(${[
    '(img|mg|dsc[nf]?|dscf|pxl|mvimg|pict?|gopr|dji|scan|screenshot|bildschirmfoto|whatsapp image|signal|photo|image|foto|unnamed|download)[ _-]*(e?\\d{3,}.*|\\d{1,2}|20\\d\\d.*)?',
    'p\\d{7}',
    '\\d{3}_\\d{4}',
    '20\\d\\d[-_.]?[01]\\d[-_.]?[0-3]\\d([-_ T].*)?',
    '\\d{1,2}',
  ].join('|')}))?$`,
  'i',
);

/** The largest number that counts the photos of one product. */
const mostPhotos = 20;

const withoutEnding = (path: string) =>
  baseName(path)
    .replace(/\.[^.]+$/, '')
    .trim();
const folderOf = (path: string) => path.replaceAll('\\', '/').split('/').slice(0, -1).join('/');

/**
 * Divides photos into products by their names, in the order of the names. Names are compared without regard to upper and
 * lower case, and photos in different folders belong to different products unless the pattern names a SKU.
 * @param pattern with `{sku}` and perhaps `{n}`, or `{folder}`; {@link automatic} finds it
 */
export function groupPhotos(paths: readonly string[], pattern: string): PhotoGroup[] {
  const sorted = paths.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  if (pattern === automatic) return groupAutomatically(sorted);
  const expression = patternExpression(pattern);
  const groups = new Map<string, PhotoGroup & { numbers: number[] }>();
  for (const path of sorted) {
    const isFolder = pattern.includes('{folder}');
    const text = isFolder ? (folderOf(path).split('/').at(-1) ?? '') : withoutEnding(path);
    const fit = expression?.exec(text)?.groups;
    const sku = fit?.sku?.trim() ?? '';
    const key = sku === '' ? `:${path}` : sku.toLowerCase();
    const group = groups.get(key) ?? { sku, paths: [], numbers: [] };
    group.paths.push(path);
    group.numbers.push(Number(fit?.n ?? 0));
    groups.set(key, group);
  }
  return [...groups.values()].map(({ sku, paths: ofGroup, numbers }) => {
    const order = ofGroup.map((_, index) => index).toSorted((one, other) => numbers[one]! - numbers[other]!);
    return { sku, paths: order.map((index) => ofGroup[index]!) };
  });
}

/** A pattern as a regular expression; null if it has neither `{sku}` nor `{folder}`. */
function patternExpression(pattern: string): RegExp | null {
  if (!/\{(sku|folder)\}/.test(pattern)) return null;
  const source = pattern
    .replace(/[\\^$.*+?()[\]|]/g, String.raw`\$&`)
    .replace(/\{(sku|folder)\}/, '(?<sku>.+?)')
    .replace('{n}', String.raw`(?<n>\d{1,3})`)
    .replaceAll('{any}', '.*');
  try {
    return new RegExp(`^${source}$`, 'iu');
  } catch {
    return null;
  }
}

/**
 * A number at the end of a name: `mug-2`, `mug (2)`, `mug_02`, `mug 2`, `4006381333931-2`; and the name before it. `SKU-200` has
 * no number `00`.
 */
const numbered = /^(?<stem>.*?(?:\p{L}|\d{4}).*?)(?<between>[ _.-]*)[([]?(?<!\d)(?<n>\d{1,2})[)\]]?$/u;

function groupAutomatically(sorted: readonly string[]): PhotoGroup[] {
  const photos = sorted.map((path) => {
    const name = withoutEnding(path);
    const fit = isFromCamera(name) ? undefined : numbered.exec(name)?.groups;
    const place = (stem: string) => `${folderOf(path)}/${stem}`.toLowerCase();
    return { path, name, stem: fit?.stem, n: Number(fit?.n), place };
  });
  const numberedOf = new Map<string, typeof photos>();
  for (const photo of photos) {
    if (photo.stem === undefined) continue;
    const key = photo.place(photo.stem);
    numberedOf.set(key, [...(numberedOf.get(key) ?? []), photo]);
  }
  const products = new Map<string, PhotoGroup>();
  for (const [key, ofStem] of numberedOf) {
    const inOrder = ofStem.toSorted((one, other) => one.n - other.n);
    if (
      !countsPhotos(
        inOrder.map(({ n }) => n),
        sorted.length,
      )
    )
      continue;
    // The photo of the same name without a number is the first.
    const plain = photos.find(({ name, place }) => place(name) === key);
    const paths = [...(plain ? [plain] : []), ...inOrder].map(({ path }) => path);
    const product = { sku: inOrder.at(-1)!.stem!, paths };
    for (const path of paths) products.set(path, product);
  }
  const groups = photos.map(
    ({ path, name }) => products.get(path) ?? { sku: isFromCamera(name) ? '' : name, paths: [path] },
  );
  return [...new Set(groups)].map(({ sku, paths }) => ({ sku: cutText(sku, limits.skuCharacters), paths }));
}

const isFromCamera = (name: string) => cameraName.test(name);

/**
 * Whether the numbers behind one name count the photos of a product: from 0 or 1 on, each once, none missing. `shirt-38` and
 * `shirt-40` are two products, and if all photos together have one name, they are as many products.
 * @param numbers in their order
 */
function countsPhotos(numbers: readonly number[], photos: number): boolean {
  if (numbers.length > mostPhotos || numbers[0]! > 2) return false;
  if (numbers.some((number, index) => index > 0 && number !== numbers[index - 1]! + 1)) return false;
  if (numbers.length === 1) return numbers[0]! <= 1;
  return numbers.length <= limits.photos || numbers.length < photos;
}
