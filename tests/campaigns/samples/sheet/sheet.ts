/** The contact sheet: a row for each photo, a column for each scene, and the time under each picture. */
import sharp, { type OverlayOptions } from 'sharp';

/** A cell: an encoded picture with its rendering time, or why there is none. */
export type SheetCell =
  | { kind: 'picture'; image: Buffer; milliseconds: number }
  | { kind: 'failure'; message: string };

/** A row: the encoded photo, its name, and a cell for each scene. */
export interface SheetRow {
  name: string;
  photo: Buffer;
  cells: readonly SheetCell[];
}

/** Dimensions of the sheet in pixels. */
const pictureWidth = 320;
const photoWidth = 200;
const gap = 12;
const headingHeight = 96;
const captionHeight = 24;

const textColour = '#222222';
const failureColour = '#a32020';

/**
 * Draws the sheet.
 * @param aspect height of the pictures divided by their width
 * @returns a JPEG
 */
export async function drawSheet(
  scenes: readonly string[],
  rows: readonly SheetRow[],
  aspect: number,
): Promise<Buffer> {
  const pictureHeight = Math.round(pictureWidth * aspect);
  const rowHeight = pictureHeight + captionHeight + gap;
  const columnAt = (column: number) => photoWidth + 2 * gap + column * (pictureWidth + gap);
  const rowAt = (row: number) => headingHeight + 2 * gap + row * rowHeight;

  const layers: OverlayOptions[] = [];
  const place = async (input: Promise<Buffer>, left: number, top: number) =>
    layers.push({ input: await input, left, top });

  for (const [column, scene] of scenes.entries()) {
    await place(textImage(scene, pictureWidth, headingHeight, textColour), columnAt(column), gap);
  }
  for (const [row, { name, photo, cells }] of rows.entries()) {
    const top = rowAt(row);
    await place(textImage(name, photoWidth, captionHeight, textColour), gap, top);
    await place(thumbnail(photo, photoWidth, pictureHeight - captionHeight), gap, top + captionHeight);
    for (const [column, cell] of cells.entries()) {
      const left = columnAt(column);
      if (cell.kind === 'failure') {
        await place(textImage(cell.message, pictureWidth, pictureHeight, failureColour), left, top);
        continue;
      }
      await place(thumbnail(cell.image, pictureWidth, pictureHeight), left, top);
      const caption = `${Math.round(cell.milliseconds)} ms`;
      await place(
        textImage(caption, pictureWidth, captionHeight, textColour),
        left,
        top + pictureHeight + gap / 4,
      );
    }
  }
  return sharp({
    create: {
      width: columnAt(scenes.length),
      height: rowAt(rows.length),
      channels: 3,
      background: '#f4f4f4',
    },
  })
    .composite(layers)
    .jpeg({ quality: 88, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** The whole picture, upright, scaled to fit this size. An unreadable file is replaced by a message. */
async function thumbnail(image: Buffer, width: number, height: number): Promise<Buffer> {
  try {
    return await sharp(image).rotate().resize(width, height, { fit: 'inside' }).png().toBuffer();
  } catch {
    return textImage('This file cannot be read as an image', width, height, failureColour);
  }
}

/** Text that wraps at `width` and is cropped at `height`, on a transparent background, as a PNG. */
async function textImage(text: string, width: number, height: number, colour: string): Promise<Buffer> {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${colour}">${escaped}</span>`,
      font: 'sans 11',
      dpi: 96,
      width,
      rgba: true,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
  if (info.height <= height && info.width <= width) return data;
  return sharp(data)
    .extract({ left: 0, top: 0, width: Math.min(width, info.width), height: Math.min(height, info.height) })
    .png()
    .toBuffer();
}
