import {
  checkedSide,
  checkPhoto,
  type ErrorCode,
  errorDefinitions,
  headBytes,
  heicMessage,
  limits,
  namePhoto,
  type PhotoWarning,
  photoFormatOf,
  storedSize,
} from '#contract';

/** A file that can be added to the form. */
export interface InspectedPhoto {
  /** A HEIC that this browser could open is a JPEG now. */
  file: File;
  /** Empty as well if the browser cannot open the file: the server checks it again. */
  warnings: PhotoWarning[];
}

/** Why a file cannot be added, for the seller. */
export class RefusedPhoto extends Error {
  override name = 'RefusedPhoto';
}

/** Checks a photo as the server will, before it is sent. @throws RefusedPhoto whose message names it */
export async function inspectPhoto(file: File): Promise<InspectedPhoto> {
  const refused = (code: ErrorCode, message: string = errorDefinitions[code][1]) =>
    new RefusedPhoto(namePhoto(message, file.name));
  const format = photoFormatOf(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
  if (format === null) throw refused('TYPE_UNSUPPORTED');

  const url = URL.createObjectURL(file);
  try {
    const image = await decode(url);
    if (image === null) {
      if (format === 'heic') throw refused('TYPE_UNSUPPORTED', heicMessage);
      // Not every browser opens TIFF and AVIF.
      if (format === 'tiff' || format === 'avif') return { file, warnings: [] };
      throw refused('IMAGE_CORRUPT');
    }
    const { naturalWidth: width, naturalHeight: height } = image;
    if (Math.min(width, height) < limits.photoSideLeast) throw refused('IMAGE_TOO_SMALL');
    if (width * height > limits.photoPixels) throw refused('TOO_MANY_PIXELS');
    const warnings = checkPhoto(storedSize(width, height), readPixels(image));
    return { file: format === 'heic' ? await toJpeg(file, image) : file, warnings };
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** The image at a URL, upright; null if the browser cannot open it. */
async function decode(url: string): Promise<HTMLImageElement | null> {
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    return image;
  } catch {
    return null;
  }
}

/** Draws an image on white, with its longest side limited. */
function draw(image: HTMLImageElement, longestSide: number): CanvasRenderingContext2D {
  const { naturalWidth: width, naturalHeight: height } = image;
  const scale = Math.min(1, longestSide / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('this browser cannot draw images');
  context.imageSmoothingQuality = 'high';
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return context;
}

function readPixels(image: HTMLImageElement) {
  const context = draw(image, checkedSide);
  const { width, height } = context.canvas;
  return { data: context.getImageData(0, 0, width, height).data, width, height, channels: 4 };
}

/** Converts a photo to a JPEG in the size in which the server would store it. */
async function toJpeg(file: File, image: HTMLImageElement): Promise<File> {
  const { canvas } = draw(image, limits.photoSide);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.95));
  if (blob === null) throw new RefusedPhoto(namePhoto(heicMessage, file.name));
  const name = `${file.name.replace(/\.hei[cf]$/i, '')}.jpg`;
  return new File([blob], name, { type: 'image/jpeg', lastModified: file.lastModified });
}
