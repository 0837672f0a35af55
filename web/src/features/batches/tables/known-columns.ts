import { isAddress, isPhotoName } from '../photo-index.ts';
import { readSize, readTakes } from '../read-row.ts';
import type { Column } from '../table-row.ts';

/**
 * What a column of a table can be. `group`: rows with the same value belong to one product (Shopify's handle). `parent`: the
 * SKU of the row that a variant belongs to (WooCommerce). `leave-out`: not needed for images.
 */
export type Field = Column | 'group' | 'parent' | 'leave-out';

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
  parent: 'Parent SKU',
  'leave-out': 'Leave out',
};

const listed = (text: string) => text.split(', ');

type NamedField = Exclude<Field, 'leave-out'>;

/**
 * Names of columns in plain words, and in the exports of shops and feeds of products, as {@link spellings} writes them. Where a
 * table has several columns of a field, the one that stands first here is taken.
 */
const names: Readonly<Record<NamedField, readonly string[]>> = {
  sku: listed(
    'sku, variant sku, item sku, seller sku, product sku, merchant sku, article number, item number, product number, ' +
      'product code sku, custom label, vendor sku code, ps sku parent short, ps sku short, et title parent sku, ' +
      'et title variation sku, product code, item code, ' +
      'style number, part number, code, artikelnummer, art nr, ugs, référence, reference, referencia, cod, codice, ' +
      'артикул, stok kodu, ürün kodu, 货号, 商家编码, 商品番号, 商品管理番号, 品番, 商品コード, 主商品貨號, 商品貨號, ' +
      // The seller's own number in feeds for Google, Facebook and Pinterest.
      'id, product id',
  ),
  asin: listed('asin, asin1, asin 1, asin code, amazon asin, product asin, child asin, amazon product id'),
  name: listed(
    'name, title, product name, product title, item name, item title, product display name, ps product name, product, ' +
      'et title product name, listing title, produktname, artikelname, bezeichnung, kurzbez, titel, nom, titre, nombre, ' +
      'título, nome, titolo, ' +
      'nazwa, название, наименование, имя, ürün adı, اسم المنتج, 商品名称, 商品名稱, 宝贝名称, 商品名, 상품명',
  ),
  photos: listed(
    'photos, photo, images, image, pictures, picture, image src, image url, image urls, image link, main image url, ' +
      'main image, variant image, other image url, other image, additional image link, photo url, picture url, ' +
      'product image url, variant image url, base image, additional images, additional image, alt image, front image, ' +
      'side image, back image, detail angle, look shot image, ps item cover image, ps item image, pic url, ' +
      'item photo url, product image file, hosted image urls, photo name, image file, image name, file name, filename, ' +
      'file, files, media, foto, fotos, bild, bilder, bilddatei, imagen, imágenes, immagine, immagini, zdjęcie, фото, ' +
      'изображения, изображение, görsel, resim, 图片, 主图, 新图片, 写真, 画像, 商品画像パス, 主商品圖片, 商品圖片',
  ),
  scene: listed(
    'scene, prompt, setting, background, image prompt, scene description, szene, hintergrund, scène, escena, scena, ' +
      'сцена, фон, 场景, 背景',
  ),
  look: listed('look, preset'),
  template: listed('template, vorlage, plantilla'),
  size: listed('size, image size, bildgröße, größe'),
  takes: listed('takes, number of images, image count, variations, anzahl bilder'),
  group: listed('handle, url handle, handle id, et title product id, et title variation integration no'),
  parent: listed('parent, übergeordnetes produkt, superior, genitore, родительский'),
};
const namedFields = Object.keys(names) as NamedField[];

/** Columns of the same tables that images do not need. */
const unneeded = new RegExp(
  `^(${[
    'body( html)?|.*description.*|vendor|brands?|type|.*tags( \\d)?|published.*|gift card|status|position|visibility.*|visible',
    'image (position|alt text)|option ?\\d (name|value|linked to)|variant (?!sku|image).*|seo .*|google shopping .*',
    '.*price.*|cost.*|currency.*|quantity|stock.*|inventory.*|.*weight.*|barcode|gtin.*|ean|upc|isbn|mpn',
    'categor.*|.*product (category|type|taxonomy)|materials?|variation \\d.*|tax.*|shipping.*|.*metafield.*|in stock|is featured',
    'bullet point ?\\d*|condition.*|length.*|width.*|height.*|colou?r.*|feed product type|update delete|variation theme|url|link',
    // Shopify, as it is exported today.
    'included .*|international.*|charge tax|continue selling .*|requires shipping|fulfillment service|external product id.*',
    // WooCommerce.
    'attribute \\d.*|meta .*|(date )?sale .*|backorders allowed|low stock amount|sold individually|allow customer reviews',
    'purchase note|download .*|grouped products|upsells|cross sells|external url|button text|swatches attributes',
    // Wix, Squarespace, and feeds for Google, Facebook and Pinterest.
    'field type|collection|(product )?option (name|value|type|description|choices) ?\\d|availability|gender|age group|pattern',
    'item group id|quantity to sell .*|(video|style) \\d.*|ribbon|media alt text|(base|total) units?( measurement)?',
    'pre order .*|modifier (name|type|char limit|mandatory|description) ?\\d',
    // Shopee and TikTok Shop.
    '(ps|et title|sl|channel id) .*|sku id|product status|variation value|property (name|value|\\d image).*|product property.*',
    'parcel .*|delivery|cod|size chart|qualification.*|aimed product status|warehouse quantity.*',
    // Magento's smaller copies of the same picture.
    '(small|thumbnail|swatch) image.*|base image label|additional image labels',
  ].join('|')})$`,
);

/** Columns whose names often say something about the product itself: what they are depends on what most of their cells say. */
const ambiguous: readonly {
  names: readonly string[];
  fits: (cell: string) => boolean;
  otherwise: Field | null;
}[] = [
  // A garment's.
  { names: listed('size, größe'), fits: (cell) => readSize(cell) !== undefined, otherwise: 'leave-out' },
  // What a picture is painted with.
  {
    names: ['media'],
    fits: (cell) => isAddress(cell) || isPhotoName(cell) || cell.startsWith('wix:image:'),
    otherwise: null,
  },
  // Colours that there are.
  { names: ['variations'], fits: (cell) => readTakes(cell) !== undefined, otherwise: 'leave-out' },
  // That of a gem, or the colour of a poster: a scene has several words.
  {
    names: listed('setting, background, hintergrund, фон, 背景'),
    fits: (cell) => /\S\s+\S+\s+\S/.test(cell),
    otherwise: null,
  },
];

/** The name of a column as it is compared: in lower case, its words apart, without punctuation. */
function plainName(name: string): string {
  return (
    name
      .normalize('NFKC')
      // What Shopee says of a column.
      .replace(/\|\d\|\d$/, '')
      .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
      .toLowerCase()
      .replace(/[\s_\-./:*#()[\]"'&?¿,]+/g, ' ')
      .trim()
  );
}

/** A column's name, and the same without what stands in brackets: an example, a unit or a remark. */
const spellings = (name: string): readonly string[] =>
  [name, name.normalize('NFKC').replace(/[([].*?[)\]]/g, ' ')].map(plainName);

/** What a name is that is written as here; null if it is not known. */
function fieldOfSpelling(spelling: string): Field | null {
  const named = (text: string) => namedFields.find((field) => names[field].includes(text));
  const found = named(spelling);
  if (found) return found;
  // One of several columns with photos.
  if (named(spelling.replace(/ ?\d{1,2}$/, '')) === 'photos') return 'photos';
  return unneeded.test(spelling) ? 'leave-out' : null;
}

/** What a column is by its name; null if its name is not known. */
function fieldOf(name: string): Field | null {
  if (plainName(name) === '') return 'leave-out';
  return spellings(name).reduce<Field | null>((found, each) => found ?? fieldOfSpelling(each), null);
}

const doubtAbout = (name: string) =>
  ambiguous.find((each) => spellings(name).some((spelling) => each.names.includes(spelling)));

/**
 * What each column is; null for those whose names are not known. Only photos may be several columns.
 * @param lines the cells of the products
 */
export function fieldsOf(header: readonly string[], lines: readonly (readonly string[])[]): (Field | null)[] {
  // TikTok Shop has a line for each variant, with an id of its own.
  const hasVariants = header.some((name) => plainName(name) === 'sku id');
  const byName = header.map((name) =>
    hasVariants && plainName(name) === 'product id' ? 'group' : fieldOf(name),
  );
  // A table that says how many images it wants means their sizes, also if they are wrong.
  const isForImages = header.some((name, index) => byName[index] === 'takes' && !doubtAbout(name));
  const fields = header.map((name, index) => {
    const field = byName[index]!;
    const doubt = isForImages || field === 'leave-out' ? undefined : doubtAbout(name);
    const cells = doubt ? lines.map((line) => line[index] ?? '').filter((cell) => cell.trim() !== '') : [];
    return !doubt || cells.filter(doubt.fits).length * 2 >= cells.length ? field : doubt.otherwise;
  });
  for (const field of namedFields) {
    if (field === 'photos') continue;
    const columns = fields.flatMap((each, index) => (each === field ? [index] : []));
    const rank = (index: number) =>
      spellings(header[index]!)
        .map((spelling) => names[field].indexOf(spelling))
        .find((place) => place >= 0)!;
    const first = columns.toSorted((one, other) => rank(one) - rank(other))[0];
    for (const index of columns) if (index !== first) fields[index] = 'leave-out';
  }
  return fields;
}

/** Longer cells are texts about products. */
const longestName = 60;

/** What the cells of a line would be as names of columns, without those that are not known. */
const fieldsIn = (line: readonly string[]): Field[] =>
  line
    .filter((cell) => plainName(cell) !== '' && cell.length <= longestName)
    .flatMap((name) => fieldOf(name) ?? []);

/** How many names of a line are those of columns. */
export const knownNames = (line: readonly string[]): number => fieldsIn(line).length;

/** Lines among which the one with the names of the columns is. */
export const headerLines = 12;

/**
 * The line that names the columns: titles, and the lines of an Amazon flat file for people, may stand above it.
 * @returns its index; null if no line seems to name them
 */
export function headerLineOf(lines: readonly (readonly string[])[]): number | null {
  const known = lines.slice(0, headerLines).map(fieldsIn);
  // What images do not need is also said of products: "Conditioner", "Color Block Vase".
  const needed = known.map((fields) => new Set(fields.filter((field) => field !== 'leave-out')).size);
  const most = needed.indexOf(Math.max(...needed));
  const belowTitles = Math.max(
    0,
    lines.findIndex((line) => line.filter((cell) => cell.trim() !== '').length > 1),
  );
  // Below other lines one known name may be a product's: "File".
  const isSure = needed[most]! > 0 && (most <= belowTitles || known[most]!.length > 1);
  if (!isSure) return seemsHeader(lines.slice(belowTitles)) ? belowTitles : null;
  // Amazon names its columns twice, for people and for programs.
  return (needed[most + 1] ?? 0) >= Math.max(2, needed[most]! * 0.7) ? most + 1 : most;
}

const isValue = (cell: string) =>
  /^[\d\s.,:%+-]*\d\W*$/.test(cell.trim()) || isAddress(cell) || isPhotoName(cell);

/** Whether the first line names the columns in words that are not known: there are numbers or addresses only below it. */
function seemsHeader([first = [], ...others]: readonly (readonly string[])[]): boolean {
  const cells = first
    .slice(0, first.findLastIndex((cell) => cell.trim() !== '') + 1)
    .map((cell) => cell.trim());
  return (
    new Set(cells).size === cells.length &&
    cells.every((cell) => cell !== '' && cell.length <= longestName && !isValue(cell)) &&
    others.some((line) => line.some(isValue))
  );
}
