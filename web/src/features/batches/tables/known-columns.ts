import type { Column } from '../table-row.ts';

/**
 * What a column of a table can be. `group`: rows with the same value belong to one product, whose first row names it
 * (Shopify's handle). `leave-out`: not needed for images.
 */
export type Field = Column | 'group' | 'leave-out';

export const fieldNames: Readonly<Record<Field, string>> = {
  sku: 'SKU',
  asin: 'ASIN',
  name: 'Name',
  photos: 'Photos',
  scene: 'Scene',
  look: 'Look',
  template: 'Template',
  size: 'Size',
  takes: 'Number of images',
  group: 'Product group',
  'leave-out': 'Leave out',
};

const listed = (text: string) => text.split(', ');

/**
 * Names of columns in plain words, and in the exports of Shopify, Amazon, Etsy and WooCommerce, as {@link plainName} writes
 * them. Where a table has several columns of a field, the one that stands first here is taken.
 */
const names: Readonly<Record<Exclude<Field, 'leave-out'>, readonly string[]>> = {
  sku: listed(
    'sku, variant sku, item sku, seller sku, product sku, merchant sku, article number, item number, product number, ' +
      'product code, item code, style number, part number, code, artikelnummer, art nr, référence, reference, ' +
      'referencia, codice, артикул, 货号, 商品番号',
  ),
  asin: listed('asin, asin1, asin 1, asin code, amazon asin, product asin, child asin, amazon product id'),
  name: listed(
    'name, title, product name, product title, item name, item title, product, listing title, produktname, ' +
      'artikelname, bezeichnung, titel, nom, titre, nombre, título, titolo, nazwa, название, наименование, 商品名称, ' +
      '商品名, 상품명',
  ),
  photos: listed(
    'photos, photo, images, image, pictures, picture, image src, image url, image urls, image link, main image url, ' +
      'main image, variant image, other image url, other image, additional image link, photo url, picture url, ' +
      'photo name, image file, image name, file name, filename, file, files, foto, fotos, bild, bilder, bilddatei, ' +
      'imagen, imágenes, immagine, zdjęcie, фото, 图片, 写真, 画像',
  ),
  scene: listed(
    'scene, prompt, setting, background, image prompt, scene description, szene, hintergrund, scène, escena, scena, ' +
      'сцена, фон, 场景, 背景',
  ),
  look: listed('look, preset'),
  template: listed('template, vorlage, plantilla'),
  size: listed('size, image size, bildgröße, größe'),
  takes: listed('takes, number of images, image count, variations, anzahl bilder'),
  group: listed('handle'),
};

/** Columns of the same exports that images do not need. */
const unneeded = new RegExp(
  `^(${[
    'body( html)?|.*description.*|vendor|brand|type|tags|published|gift card|status|id|parent|position|visibility.*',
    'image (position|alt text)|option ?\\d (name|value|linked to)|variant (?!sku|image).*|seo .*|google shopping .*',
    '.* ?price.*|cost.*|currency.*|quantity|stock.*|inventory.*|.*weight.*|barcode|gtin|ean|upc|isbn|external product id.*',
    'categor.*|product (category|type|taxonomy)|materials?|variation \\d.*|tax.*|shipping.*|.*metafield.*|in stock|is featured',
    'bullet point ?\\d*|condition.*|length.*|width.*|height.*|colou?r.*|feed product type|update delete|variation theme|url|link',
  ].join('|')})$`,
);

/** The name of a column as it is compared: in lower case, without punctuation and the number of one of several. */
function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\-./:*#()[\]"'&]+/g, ' ')
    .trim();
}

/** What a column is by its name; null if its name is not known. */
function fieldOf(name: string): Field | null {
  const plain = plainName(name);
  if (plain === '') return 'leave-out';
  const found =
    find(plain) ??
    (/\d$/.test(plain) && find(plain.replace(/ ?\d{1,2}$/, '')) === 'photos' ? 'photos' : null);
  if (found !== null) return found;
  return unneeded.test(plain) ? 'leave-out' : null;
}

const find = (plain: string): Field | null =>
  (Object.keys(names) as (keyof typeof names)[]).find((field) => names[field].includes(plain)) ?? null;

/** What each column is; null for those whose names are not known. Only photos may be several columns. */
export function fieldsOf(header: readonly string[]): (Field | null)[] {
  const fields = header.map(fieldOf);
  for (const field of Object.keys(names) as (keyof typeof names)[]) {
    if (field === 'photos') continue;
    const columns = fields.flatMap((each, index) => (each === field ? [index] : []));
    const rank = (index: number) => names[field].indexOf(plainName(header[index]!));
    const first = columns.toSorted((one, other) => rank(one) - rank(other))[0];
    for (const index of columns) if (index !== first) fields[index] = 'leave-out';
  }
  return fields;
}

/** How many names of a line are those of columns. */
export function knownNames(line: readonly string[]): number {
  return line.filter((name) => plainName(name) !== '' && fieldOf(name) !== null).length;
}

/** Lines among which the one with the names of the columns is. */
const headerLines = 12;

/**
 * The line that names the columns: titles, and the lines of an Amazon flat file for people, may stand above it.
 * @returns its index; null if no line has a known name
 */
export function headerLineOf(lines: readonly (readonly string[])[]): number | null {
  const known = lines.slice(0, headerLines).map((line) => knownNames(line));
  const most = Math.max(...known);
  if (most === 0) return null;
  // Below several lines with nearly as many of them the products begin.
  return known.findLastIndex((count) => count >= Math.max(1, most * 0.7) && (count > 1 || most === 1));
}
