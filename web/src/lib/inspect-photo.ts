import {
  type CheckedPhoto,
  checkedPhotoSchema,
  clientErrors,
  headBytes,
  limits,
  namePhoto,
  type PhotoWarning,
  paths,
  photoCheckLimits,
  photoFormatOf,
  photoSizeFault,
} from '#contract';
import { createJpegEnd } from '#contract/jpeg-end.ts';
import { checkPhoto } from '#contract/photo-pixels.ts';
import { callApi } from '#web/lib/api.ts';
import { isCanvasReliable, openImage } from '#web/lib/browser-images.ts';
import { copyFile } from '#web/lib/copy-file.ts';

/** A file that can be added to the form. */
interface InspectedPhoto {
  /** A copy in memory; a large photo is a smaller JPEG or PNG now. */
  file: File;
  /** Empty as well if the browser cannot check the photo: the server checks it again. */
  warnings: PhotoWarning[];
  /** A small JPEG for the server's check, as base64; null if this browser cannot make one. */
  copy: string | null;
}

/** A photo with more bytes is scaled to the size in which the server would store it. */
const largeBytes = 6 * 1024 * 1024;

/** Why a file cannot be added, for the seller. */
export class RefusedPhoto extends Error {
  override name = 'RefusedPhoto';
}

/**
 * Checks a photo as the server will, before it is sent. What this browser cannot check is left to the server.
 * @throws RefusedPhoto, or ApiError if it cannot be read; both messages name it
 */
export async function inspectPhoto(chosen: File): Promise<InspectedPhoto> {
  const refused = (code: keyof typeof clientErrors, message: string = clientErrors[code][1]) =>
    new RefusedPhoto(namePhoto(message, chosen.name));
  if (chosen.size === 0) throw refused('FILE_EMPTY');
  // Before it is read into memory.
  if (chosen.size > limits.photoFileBytes) throw refused('FILE_TOO_LARGE');
  const { file, isWhole } = await withoutTrailer(await copyFile(chosen));
  const format = photoFormatOf(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
  if (format === null) throw refused('TYPE_UNSUPPORTED');
  if (file.size > limits.photoBytes) throw refused('FILE_TOO_LARGE');

  const image = await openFile(file);
  if (image instanceof HTMLImageElement) {
    const { naturalWidth: width, naturalHeight: height } = image;
    const fault = photoSizeFault(width, height);
    if (fault) throw refused(fault.code, fault.message);
    const pixels = readPixels(image);
    const warnings = pixels === null ? [] : checkPhoto(pixels);
    // Large photos take minutes on a slow line; the server keeps no more than this. Only honest pixels are sent.
    const isLarge = file.size > largeBytes && Math.max(width, height) > limits.photoSide;
    const copy = pixels && copyOf(image);
    // One that breaks off stays as it is: the server sees how much is missing.
    const scaled = isLarge && isWhole && pixels ? await downscale(file, image) : null;
    return { file: scaled && scaled.size < file.size ? scaled : file, warnings, copy };
  }
  // Not every browser opens HEIC, TIFF and AVIF, and some open nothing: with a setting for privacy, or without memory.
  const isDamaged =
    image === 'refused' && ['jpeg', 'png', 'webp'].includes(format) && (await canOpenPhotos());
  if (isDamaged) throw refused('IMAGE_CORRUPT');
  return { file, warnings: [], copy: null };
}

/**
 * Asks the server whether the product can be cut out of a photo. It is advice: whatever goes wrong, there is none.
 * @param photo the copy, as base64
 * @param signal aborted when the photo is removed
 * @param questions as for the server
 * @returns null if there is no answer
 */
export function checkOnServer(
  photo: string,
  signal: AbortSignal,
  questions: { cutout?: boolean; hands?: boolean } = {},
): Promise<CheckedPhoto | null> {
  const body = { photo, ...questions };
  return callApi('POST', paths.photoChecks, checkedPhotoSchema, { body, signal }).catch(() => null);
}

/**
 * A JPEG without what follows its picture, such as the video of a motion photo: it is not used, and would be sent for nothing.
 * @returns `isWhole` false for a JPEG that breaks off
 */
async function withoutTrailer(file: File): Promise<{ file: File; isWhole: boolean }> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (photoFormatOf(bytes.subarray(0, headBytes)) !== 'jpeg') return { file, isWhole: true };
  const end = createJpegEnd();
  end.push(bytes);
  const { found } = end;
  if (found === undefined) return { file, isWhole: false };
  if (found === bytes.length) return { file, isWhole: true };
  const { name, type, lastModified } = file;
  return { file: new File([bytes.subarray(0, found)], name, { type, lastModified }), isWhole: true };
}

/** Opens a file as `openImage` does. */
async function openFile(file: Blob): ReturnType<typeof openImage> {
  const url = URL.createObjectURL(file);
  return openImage(url).finally(() => URL.revokeObjectURL(url));
}

/** A PNG of one pixel. */
const onePixelPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** Whether this browser opens a photo that is not damaged. */
async function canOpenPhotos(): Promise<boolean> {
  const bytes = Uint8Array.from(atob(onePixelPng), (character) => character.charCodeAt(0));
  return (await openFile(new Blob([bytes], { type: 'image/png' }))) instanceof HTMLImageElement;
}

/** Draws an image with its longest side limited. @param background what shows through it; nothing unless given */
function drawScaled(
  image: HTMLImageElement,
  longestSide: number,
  background?: string,
): CanvasRenderingContext2D {
  const { naturalWidth: width, naturalHeight: height } = image;
  const scale = Math.min(1, longestSide / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('this browser cannot draw images');
  context.imageSmoothingQuality = 'high';
  if (background !== undefined) {
    context.fillStyle = background;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return context;
}

/** The pixels of a photo as the server stores it; null if this browser does not give them. */
function readPixels(image: HTMLImageElement) {
  if (!isCanvasReliable()) return null;
  try {
    const context = drawScaled(image, limits.photoSide, 'white');
    const { width, height } = context.canvas;
    return { data: context.getImageData(0, 0, width, height).data, width, height, channels: 4 };
  } catch {
    return null;
  }
}

/** A small copy of a photo as base64. */
function copyOf(image: HTMLImageElement): string | null {
  try {
    const { canvas } = drawScaled(image, photoCheckLimits.side, 'white');
    const [, base64 = ''] = canvas.toDataURL('image/jpeg', 0.85).split(',');
    return base64.length > 0 && base64.length <= photoCheckLimits.characters ? base64 : null;
  } catch {
    return null;
  }
}

/** Converts a photo as the server would store it: a JPEG, or a PNG if it is transparent; null if this browser cannot. */
async function downscale(file: File, image: HTMLImageElement): Promise<File | null> {
  try {
    const context = drawScaled(image, limits.photoSide);
    const { canvas } = context;
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const isOpaque = data.every((value, at) => at % 4 !== 3 || value === 255);
    const [type, extension] = isOpaque ? ['image/jpeg', 'jpg'] : ['image/png', 'png'];
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.95));
    if (blob === null) return null;
    const name = `${file.name.replace(/\.\w+$/, '')}.${extension}`;
    return new File([blob], name, { type: blob.type, lastModified: file.lastModified });
  } catch {
    return null;
  }
}
