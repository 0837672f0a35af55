import type { ExportFormat, ExportRule } from '#shared/contract/export-presets.ts';
import { type Sharp, sharp } from '#shared/platform/sharp.ts';

interface FileOrder {
  format: ExportFormat;
  /** Of a JPEG or WebP; null for the usual one. */
  quality: number | null;
  rules: readonly ExportRule[];
  /** Whether what is pure white in the image has to be so in the file. */
  isWhite: boolean;
  /** Adds what the file says of itself. */
  label: (image: Sharp) => Sharp;
}

/** Qualities of a JPEG: the usual one, and those for files that are larger than allowed. */
const jpegQualities = [93, 85, 75] as const;
const usualWebpQuality = 92;
/** Qualities that are tried when white is not pure in a WebP of less. */
const webpQualities = [70, 80, 90, 100] as const;

/**
 * Encodes an image: as a JPEG of less quality if the usual one has more bytes than a rule allows, and as a WebP of more if its white
 * is not pure with the one that was chosen.
 */
export async function encodeExport(
  image: Sharp,
  { format, quality, rules, isWhite, label }: FileOrder,
): Promise<{ file: Uint8Array; usualBytes: number }> {
  if (format === 'webp' && isWhite) {
    const file = await encodeWhiteWebp(image, quality ?? usualWebpQuality, label);
    return { file, usualBytes: file.byteLength };
  }
  const most = Math.min(
    ...rules.map((rule) => (rule.kind === 'bytes' ? rule.most : Number.POSITIVE_INFINITY)),
  );
  const labelled = label(image);
  const usual = await encode(labelled.clone(), format, quality).toBuffer();
  let file = usual;
  for (const less of format === 'jpeg' ? jpegQualities.slice(1) : []) {
    if (file.byteLength <= most) break;
    file = await encode(labelled.clone(), format, less).toBuffer();
  }
  return { file, usualBytes: usual.byteLength };
}

/**
 * Quality is high: marketplaces compress files again. JPEG keeps colours at full resolution, so edges stay clean.
 * @param quality null for the usual one of the format
 */
function encode(image: Sharp, format: ExportFormat, quality: number | null): Sharp {
  switch (format) {
    case 'png':
      return image.png();
    case 'jpeg':
      return image.jpeg({ quality: quality ?? jpegQualities[0], chromaSubsampling: '4:4:4' });
    case 'webp':
      return image.webp({ quality: quality ?? usualWebpQuality });
    case 'avif':
      return image.avif({ quality: 75, effort: 2 });
  }
}

/**
 * A WebP predicts each block from its neighbours, and leaves small errors: a white that a product is beside may be 253 up to the
 * border of the file, with one quality and not with the next. So its white is measured.
 */
async function encodeWhiteWebp(
  image: Sharp,
  quality: number,
  label: FileOrder['label'],
): Promise<Uint8Array> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const channels = info.channels as 3 | 4;
  const start = () => label(sharp(data, { raw: { width, height, channels } }));
  const blocks = findWhiteBlocks({ data, width, height, channels });
  for (const tried of [quality, ...webpQualities.filter((more) => more > quality)]) {
    const file = await start().webp({ quality: tried }).toBuffer();
    if (await isPureIn(file, blocks)) return file;
  }
  // It changes colours where they vary, and nothing where all is white.
  return start().webp({ nearLossless: true, quality: 60 }).toBuffer();
}

/** Side of a block in pixels: two of those that a WebP is made of. */
const side = 32;

interface Raw {
  data: Uint8Array;
  width: number;
  height: number;
  channels: number;
}

/** A part of a file in which everything is pure white, from its first row and column on. */
interface Block {
  top: number;
  left: number;
}

/** The blocks of an image that are pure white, as are those around them. What is nearer to a product has its light. */
function findWhiteBlocks(image: Raw): Block[] {
  const [rows, columns] = [Math.ceil(image.height / side), Math.ceil(image.width / side)];
  const white = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_each, column) => isWhiteBlock(image, blockAt(row, column))),
  );
  const around = [-1, 0, 1];
  const blocks: Block[] = [];
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1)
      if (around.every((down) => around.every((right) => white[row + down]?.[column + right] ?? true)))
        blocks.push(blockAt(row, column));
  return blocks;
}

const blockAt = (row: number, column: number): Block => ({ top: row * side, left: column * side });

function isWhiteBlock({ data, width, height, channels }: Raw, { top, left }: Block): boolean {
  for (let y = top; y < Math.min(height, top + side); y += 1) {
    const end = (y * width + Math.min(width, left + side)) * channels;
    for (let at = (y * width + left) * channels; at < end; at += 1) if (data[at] !== 255) return false;
  }
  return true;
}

async function isPureIn(file: Uint8Array, blocks: readonly Block[]): Promise<boolean> {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  return blocks.every((block) => isWhiteBlock({ data, ...info }, block));
}
