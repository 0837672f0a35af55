import sharp from 'sharp';
import { ProviderError } from './provider-error.ts';

/** Images are compared at this width and height, in pixels. */
const side = 32;
/** Up to this difference between its lightest and darkest place, of 255, an image shows nothing. */
const blankRange = 8;
/**
 * Up to this mean difference, of 255, an image is a copy of a photo: encoding and scaling explain it. Measured with the
 * sample photos: copies have at most 1.4; a product on white, rendered on white once more, has at least 2.5.
 */
const copyDifference = 2;
/** Up to this difference in any place, of 255, a change has changed nothing. */
const unchangedDifference = 4;

/** What an image must not be the same as. */
export interface Inputs {
  photos: readonly Buffer[];
  /** The image that was to be changed; null for a new one. */
  original: Buffer | null;
}

/**
 * Checks that an image is a result: it shows something, is not a copy of one of its photos and, if it is a change, is not
 * the image as it was.
 * @param png of any size; an original has the same
 * @throws ProviderError `invalid_response`
 */
export async function checkResult(png: Buffer, inputs: Inputs, requestId: string | null): Promise<void> {
  const reason = await defect(png, inputs);
  if (reason) throw new ProviderError('invalid_response', reason, { requestId });
}

async function defect(png: Buffer, { photos, original }: Inputs): Promise<string | undefined> {
  const image = await reduced(png);
  if (range(image) <= blankRange) return 'the image is blank';
  if (original && largestDifference(image, await reduced(original)) <= unchangedDifference) {
    return 'the image was not changed';
  }
  for (const photo of photos) {
    if (await isCopy(png, image, photo)) return 'the image is a copy of a photo';
  }
  return undefined;
}

/** Whether an image is a photo that was only scaled to the image's size: stretched, cropped, or with a border. */
async function isCopy(png: Buffer, image: Buffer, photo: Buffer): Promise<boolean> {
  const [size, photoSize] = await Promise.all([sharp(png).metadata(), sharp(photo).metadata()]);
  if (meanDifference(image, await reduced(photo)) <= copyDifference) return true;
  const wider = photoSize.width / photoSize.height / (size.width / size.height);
  const taller = 1 / wider;
  const cropped = await reduced(photo, central(photoSize, Math.min(1, taller), Math.min(1, wider)));
  if (meanDifference(image, cropped) <= copyDifference) return true;
  const inside = await reduced(png, central(size, Math.min(1, wider), Math.min(1, taller)));
  return meanDifference(inside, await reduced(photo)) <= copyDifference;
}

interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The middle of a picture. @param horizontal the fraction of its width; @param vertical of its height */
function central(picture: { width: number; height: number }, horizontal: number, vertical: number): Area {
  const width = Math.max(1, Math.round(picture.width * horizontal));
  const height = Math.max(1, Math.round(picture.height * vertical));
  return {
    left: Math.floor((picture.width - width) / 2),
    top: Math.floor((picture.height - height) / 2),
    width,
    height,
  };
}

/** A picture, or an area of it, as `side` × `side` RGBA pixels; the colours are those over black. */
async function reduced(picture: Buffer, area?: Area): Promise<Buffer> {
  const whole = sharp(picture).toColourspace('srgb').ensureAlpha();
  const pixels = await (area ? whole.extract(area) : whole)
    .resize(side, side, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer();
  for (let index = 0; index < pixels.length; index += 4) {
    const alpha = pixels[index + 3]! / 255;
    for (let channel = index; channel < index + 3; channel += 1) pixels[channel]! *= alpha;
  }
  return pixels;
}

/** The largest difference between two places of a picture, in any channel. */
function range(pixels: Buffer): number {
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

function largestDifference(first: Buffer, second: Buffer): number {
  let largest = 0;
  for (let index = 0; index < first.length; index += 1) {
    largest = Math.max(largest, Math.abs(first[index]! - second[index]!));
  }
  return largest;
}

/** Of the colours: a copy may have lost its transparency. */
function meanDifference(first: Buffer, second: Buffer): number {
  let sum = 0;
  for (let index = 0; index < first.length; index += 1) {
    if (index % 4 < 3) sum += Math.abs(first[index]! - second[index]!);
  }
  return sum / ((first.length / 4) * 3);
}
