import { limits } from './limits.ts';

/**
 * What can spoil the image although the photo can be used: its short side has fewer pixels than `photoSideGood`; it is out
 * of focus, shaken, or enlarged; it is very dark; or so bright that the product has lost details. `checkPhoto` finds them.
 * Its file lacks a little of its end, or has a channel that is left out: the server finds these. And what only the cutout
 * finds (shared/cutout/check-product.ts): the product cannot be told from its background, is tiny, touches the frame, or is
 * held in a hand.
 */
export const cutoutWarnings = ['background', 'distant', 'cut-off', 'held'] as const;
export type CutoutWarning = (typeof cutoutWarnings)[number];
export const photoWarnings = [
  ...(['small', 'blurry', 'dark', 'bright', 'incomplete', 'extra-channel'] as const),
  ...cutoutWarnings,
] as const;
export type PhotoWarning = (typeof photoWarnings)[number];

/** For a photo in a known format whose codec or colours the server does not know. */
export const unknownKindMessage =
  "One of the photos is of a kind that can't be opened here, such as high dynamic range (HDR). Please export it as JPEG.";

/** For a photo of which almost nothing would be left when its long side has `photoSide` pixels. */
export const stripMessage = `One of the photos is more than ${limits.photoSideRatio} times as long as it is wide. Please crop it and try again.`;

/** Why the size of a photo is refused. */
export interface PhotoSizeFault {
  code: 'IMAGE_TOO_SMALL' | 'TOO_MANY_PIXELS';
  message?: string;
}

/**
 * Why a photo of this size is refused. The browser and the server use it, so that both say the same.
 * @returns null if it is not; the message of the code unless it has one
 */
export function photoSizeFault(width: number, height: number): PhotoSizeFault | null {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (short < limits.photoSideLeast) return { code: 'IMAGE_TOO_SMALL' };
  if (long > short * limits.photoSideRatio) return { code: 'IMAGE_TOO_SMALL', message: stripMessage };
  return width * height > limits.photoPixels ? { code: 'TOO_MANY_PIXELS' } : null;
}
