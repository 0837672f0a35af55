/*
 * What is compared of pictures. The pixel thread runs these loops (pixel-thread.ts), so nothing here may load native code.
 */

/** Width and height of a thumbnail, in pixels. */
export const thumbnailSide = 256;

/** A picture scaled to a square of `thumbnailSide`, whatever its shape was. */
export interface Thumbnail {
  /** RGBA, in sRGB. */
  pixels: Buffer;
  /** Of the picture: its size in pixels, and its format by sharp's name, such as `png`. */
  width: number;
  height: number;
  format: string;
}

/** Images are compared at this width and height, in pixels. */
const side = 32;
/** Up to this difference between its lightest and darkest place, of 255, an image shows nothing. */
const blankRange = 8;
/**
 * Up to these mean differences, of 255, an image is a copy of a photo: encoding and scaling explain it. The second is that
 * of the places that differ from their background: a small product on white, made on white once more, is everywhere else
 * the same. Measured on photographs (docs/measured.md, "Copies of photos").
 */
const copyDifference = 2;
const contentDifference = 3;
/** A place whose difference to the border of its picture is at most this, of 255, is background. */
const backgroundMost = 10;
/** As much lighter or darker, in each channel, a copy may be as a whole. */
const shiftMost = 3;
/** Up to this difference in any place, of 255, a change has changed nothing. */
const unchangedDifference = 4;

/** What an image must not be the same as. */
export interface Inputs {
  photos: readonly ReducedPhoto[];
  /** The image that was to be changed; null for a new one. */
  original: Thumbnail | null;
}

/** What images of one size are compared with, of a photo. It is made during the call. */
export interface ReducedPhoto {
  whole: Float64Array;
  /** For an image of another shape; null if there is nothing to crop. */
  other: {
    /** The photo without what does not fit into the image. */
    cropped: Float64Array;
    /** Where the whole photo would be in the image, between two borders. */
    place: Area;
  } | null;
}

/** @param image size of the images that the photo will be compared with, in pixels */
export function reducedPhoto(photo: Thumbnail, image: { width: number; height: number }): ReducedPhoto {
  const whole = reduced(photo);
  const wider = photo.width / photo.height / (image.width / image.height);
  if (wider === 1) return { whole, other: null };
  const taller = 1 / wider;
  const cropped = reduced(photo, central(Math.min(1, taller), Math.min(1, wider)));
  return { whole, other: { cropped, place: central(Math.min(1, wider), Math.min(1, taller)) } };
}

/**
 * What is wrong with an image: it shows nothing, is a copy of one of its photos, or is a change and the image as it was.
 * @returns undefined for nothing
 */
export function defectOf(image: Thumbnail, { photos, original }: Inputs): string | undefined {
  const small = reduced(image);
  if (range(small) <= blankRange) return 'the image is blank';
  if (original && largestDifference(small, reduced(original)) <= unchangedDifference) {
    return 'the image was not changed';
  }
  if (photos.some((photo) => isCopy(image, small, photo))) return 'the image is a copy of a photo';
  return undefined;
}

/** Whether an image is a copy of a photo. */
export function isCopyOf(image: Thumbnail, photo: Thumbnail): boolean {
  return isCopy(image, reduced(image), reducedPhoto(photo, image));
}

/** Whether an image is a photo that was only scaled to the image's size: stretched, cropped, or with a border. */
function isCopy(image: Thumbnail, small: Float64Array, { whole, other }: ReducedPhoto): boolean {
  if (isSame(small, whole)) return true;
  if (!other) return false;
  return isSame(small, other.cropped) || isSame(reduced(image, other.place), whole);
}

function isSame(first: Float64Array, second: Float64Array): boolean {
  const { whole, content } = differenceOf(first, second);
  return whole <= copyDifference && content <= contentDifference;
}

/** A part of a thumbnail, in its pixels and parts of them. */
interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

const wholeArea: Area = { left: 0, top: 0, width: thumbnailSide, height: thumbnailSide };

/** The middle of a thumbnail. @param horizontal the fraction of its width; @param vertical of its height */
function central(horizontal: number, vertical: number): Area {
  const [width, height] = [thumbnailSide * horizontal, thumbnailSide * vertical];
  return { left: (thumbnailSide - width) / 2, top: (thumbnailSide - height) / 2, width, height };
}

/** An area of a thumbnail as `side` × `side` RGBA values, each the mean of its block; the colours are those over black. */
export function reduced({ pixels }: Thumbnail, area = wholeArea): Float64Array {
  const means = new Float64Array(side * side * 4);
  const rows = overlaps(area.top, area.height);
  const columns = overlaps(area.left, area.width);
  for (let block = 0; block < side * side; block += 1) {
    const [blockRow, blockColumn] = [Math.floor(block / side), block % side];
    let [red, green, blue, alpha] = [0, 0, 0, 0];
    for (let row = rows.starts[blockRow]!; row < rows.starts[blockRow + 1]!; row += 1) {
      const rowStart = rows.pixels[row]! * thumbnailSide;
      const rowShare = rows.shares[row]!;
      for (let at = columns.starts[blockColumn]!; at < columns.starts[blockColumn + 1]!; at += 1) {
        const pixel = (rowStart + columns.pixels[at]!) * 4;
        const visible = pixels[pixel + 3]! * rowShare * columns.shares[at]!;
        const opacity = visible / 255;
        red += pixels[pixel]! * opacity;
        green += pixels[pixel + 1]! * opacity;
        blue += pixels[pixel + 2]! * opacity;
        alpha += visible;
      }
    }
    means.set([red, green, blue, alpha], block * 4);
  }
  return means;
}

/** Pixels of one direction, block by block, and the part of its block that each covers. */
interface Overlaps {
  /** Where the pixels of a block begin, and after the last block their number. */
  starts: Int32Array;
  pixels: Int32Array;
  shares: Float64Array;
}

/** Divides a length of pixels into `side` blocks. A pixel across the edge of two blocks is in both. */
function overlaps(start: number, length: number): Overlaps {
  const [starts, pixels, shares]: [number[], number[], number[]] = [[], [], []];
  for (let block = 0; block < side; block += 1) {
    starts.push(pixels.length);
    const [from, to] = [start + (block * length) / side, start + ((block + 1) * length) / side];
    for (let pixel = Math.floor(from); pixel < Math.min(to, thumbnailSide); pixel += 1) {
      const covered = Math.min(to, pixel + 1) - Math.max(from, pixel);
      pixels.push(pixel);
      shares.push((covered * side) / length);
    }
  }
  return {
    starts: Int32Array.of(...starts, pixels.length),
    // Typed arrays, because the loops over them are most of what a check takes besides decoding.
    pixels: Int32Array.from(pixels),
    shares: Float64Array.from(shares),
  };
}

/** The largest difference between two places of a picture, in any channel. */
function range(pixels: Float64Array): number {
  let widest = 0;
  for (let channel = 0; channel < 4; channel += 1) {
    let [lowest, highest] = [255, 0];
    for (let index = channel; index < pixels.length; index += 4) {
      lowest = Math.min(lowest, pixels[index]!);
      highest = Math.max(highest, pixels[index]!);
    }
    widest = Math.max(widest, highest - lowest);
  }
  return widest;
}

function largestDifference(first: Float64Array, second: Float64Array): number {
  let largest = 0;
  for (let index = 0; index < first.length; index += 1) {
    largest = Math.max(largest, Math.abs(first[index]! - second[index]!));
  }
  return largest;
}

/**
 * How two reduced pictures differ in their colours on average, apart from being lighter or darker as a whole: everywhere,
 * and where one of them is not background. A copy may have lost its transparency.
 */
export function differenceOf(first: Float64Array, second: Float64Array): { whole: number; content: number } {
  const places = first.length / 4;
  const differences = new Float64Array(places);
  const contrasts = new Float64Array(places);
  for (let channel = 0; channel < 3; channel += 1) {
    const signed = Array.from(
      differences,
      (_, place) => first[place * 4 + channel]! - second[place * 4 + channel]!,
    );
    const shift = Math.min(shiftMost, Math.max(-shiftMost, middle(signed)));
    const [firstBorder, secondBorder] = [borderOf(first, channel), borderOf(second, channel)];
    for (let place = 0; place < places; place += 1) {
      differences[place]! += Math.abs(signed[place]! - shift) / 3;
      const contrast = Math.max(
        Math.abs(first[place * 4 + channel]! - firstBorder),
        Math.abs(second[place * 4 + channel]! - secondBorder),
      );
      contrasts[place] = Math.max(contrasts[place]!, contrast);
    }
  }
  const inContent = differences.filter((_, place) => contrasts[place]! > backgroundMost);
  return { whole: mean(differences), content: mean(inContent) };
}

/** The usual value of a channel on the border of a reduced picture. */
function borderOf(pixels: Float64Array, channel: number): number {
  const border: number[] = [];
  for (let at = 0; at < side; at += 1) {
    for (const place of [at, (side - 1) * side + at, at * side, at * side + side - 1])
      border.push(pixels[place * 4 + channel]!);
  }
  return middle(border);
}

const middle = (values: readonly number[]) =>
  values.toSorted((first, second) => first - second)[values.length >> 1]!;

/** @returns 0 of nothing */
const mean = (values: Float64Array) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Puts pixels back where a mask lets nothing change.
 * @param before RGBA
 * @param after RGBA of the same size, which is written to
 * @param area one byte for each pixel: 0 where all of `after` stays, 255 where all of `before` does
 */
export function putBack(before: Uint8Array, after: Uint8Array, area: Uint8Array): Uint8Array {
  for (let index = 0; index < area.length; index += 1) {
    const kept = area[index]! / 255;
    if (kept === 0) continue;
    for (let channel = index * 4; channel < index * 4 + 4; channel += 1) {
      after[channel] = Math.round(before[channel]! * kept + after[channel]! * (1 - kept));
    }
  }
  return after;
}
