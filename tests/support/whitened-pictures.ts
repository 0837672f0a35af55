/** What whitening for exports does to a drawn picture, whose product is known to the pixel. */
import sharp from 'sharp';
import { expect } from 'vitest';
import { whitenForExport } from '#server/decoder/export-background.ts';
import type { EditPixels } from '#shared/contract/edit-geometry.ts';
import { type DrawingName, drawOutline, drawPicture } from './white-pictures.ts';

export async function pixelsOf(picture: Buffer): Promise<EditPixels> {
  const { data, info } = await sharp(picture)
    .flatten({ background: '#fff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: new Uint8ClampedArray(data), width: info.width, height: info.height };
}

export const colourAt = ({ data, width }: EditPixels, x: number, y: number) => [
  ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
];

/** Whitens a picture. @returns it before and after, and what was found */
export async function whitened(picture: Buffer) {
  const before = await pixelsOf(picture);
  const after = { ...before, data: before.data.slice() };
  const found = await whitenForExport(after);
  return { before, after, found };
}

/** How many pixels of a product have changed, and by how much at most. */
async function changesOf(name: DrawingName, before: EditPixels, after: EditPixels) {
  const { data: outline } = await drawOutline(name);
  let [pixels, changed, most] = [0, 0, 0];
  for (let pixel = 0; pixel < outline.length; pixel += 1) {
    if (outline[pixel] !== 255) continue;
    pixels += 1;
    let difference = 0;
    for (let at = pixel * 4; at < pixel * 4 + 3; at += 1)
      difference = Math.max(difference, Math.abs(before.data[at]! - after.data[at]!));
    if (difference > 0) changed += 1;
    most = Math.max(most, difference);
  }
  return { changed, share: changed / pixels, most };
}

/** The box of a drawn product. */
async function boxOf(name: DrawingName) {
  const { data, width } = await drawOutline(name);
  let [left, top, right, bottom] = [width, width, 0, 0];
  for (const [pixel, value] of data.entries()) {
    if (value < 128) continue;
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    [left, top, right, bottom] = [
      Math.min(left, x),
      Math.min(top, y),
      Math.max(right, x + 1),
      Math.max(bottom, y + 1),
    ];
  }
  return { left, top, width: right - left, height: bottom - top };
}

/** A red logo on a towel. @param difference of the towel to its background; @param noise of both */
export async function towel(difference: number, noise: number): Promise<Buffer> {
  const level = noise > 0 ? 246 : 255;
  const side = 640;
  const data = Buffer.alloc(side * side * 3);
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  for (let pixel = 0; pixel < side * side; pixel += 1) {
    const [x, y] = [pixel % side, Math.floor(pixel / side)];
    const isTowel = x >= 145 && x < 495 && y >= 157 && y < 482;
    const isLogo = x >= 275 && x < 365 && y >= 275 && y < 344;
    const value = level - (isTowel ? difference : 0) + Math.round((random() - 0.5) * 2 * noise);
    data.set(isLogo ? [174, 47, 47] : [value, value, value], pixel * 3);
  }
  return sharp(data, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}

/** Expects that a product on pure white keeps every pixel, and is measured without its shadow. */
export async function expectKept(name: DrawingName) {
  const { before, after, found } = await whitened(await drawPicture(name));
  expect(await changesOf(name, before, after)).toEqual({ changed: 0, share: 0, most: 0 });
  expect(found).toMatchObject({ isWhite: true, isClear: true });
  // Without its shadow, to 2 % of its longer side.
  const drawn = await boxOf(name);
  const most = Math.max(drawn.width, drawn.height) * 0.02;
  expect(Math.abs(found.product!.width - drawn.width), JSON.stringify(found.product)).toBeLessThanOrEqual(
    most,
  );
  const middle = ({ left, width }: { left: number; width: number }) => left + width / 2;
  expect(Math.abs(middle(found.product!) - middle(drawn))).toBeLessThanOrEqual(most);
}

/** Expects that a product on nearly white keeps its pixels but some on its edge, and the background becomes white. */
export async function expectWhitened(name: DrawingName) {
  const { before, after, found } = await whitened(await drawPicture(name, { background: '#f6f5f3' }));
  expect(found).toMatchObject({ isWhite: true, isClear: true, share: 0 });
  expect(colourAt(after, 0, 0)).toEqual([255, 255, 255]);
  const { share, most } = await changesOf(name, before, after);
  // Where the model sees the edge further inside, the product is made lighter by as much as the background.
  expect(share).toBeLessThan(0.06);
  expect(most).toBeLessThanOrEqual(12);
}
