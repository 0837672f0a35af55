/** The image files of `POST /v1/images/edits`, validated as OpenAI does. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { formats, type ImageFormat } from './edit-fields.ts';
import { type ApiError, invalidImageFile, invalidRequest } from './errors.ts';

const maximumMaskBytes = 4 * 1024 * 1024;

/** A file of the form. */
export interface UploadedFile {
  bytes: Buffer;
  declaredType: string;
}

/** An uploaded image with its type and size. */
export interface UploadedImage {
  bytes: Buffer;
  sha256: string;
  width: number;
  height: number;
  format: ImageFormat;
}

/**
 * Validates the images.
 * @throws ApiError with OpenAI's status and code
 */
export async function checkImages(images: readonly UploadedFile[]): Promise<UploadedImage[]> {
  const acceptedTypes = ['image/png', 'image/jpeg', 'image/jpg', 'image/webp'];
  return Promise.all(
    images.map(async ({ bytes, declaredType }, index) => {
      // Like OpenAI, check the declared type first: `application/octet-stream` is rejected whatever the bytes are.
      if (!acceptedTypes.includes(declaredType)) throw unsupportedImage(declaredType);
      const metadata = await sharp(bytes)
        .metadata()
        .catch(() => undefined);
      if (metadata === undefined) {
        throw invalidImageFile(
          `Invalid image file or mode for image ${index + 1}, please check your image file.`,
        );
      }
      const format = formats.find((candidate) => candidate === metadata.format);
      if (format === undefined) throw unsupportedImage(metadata.format);
      return {
        bytes,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        width: metadata.width,
        height: metadata.height,
        format,
      };
    }),
  );
}

/**
 * Validates the mask. OpenAI documents what it must be, but not the error message.
 * @param first the image that the mask applies to
 * @throws ApiError with OpenAI's status
 */
export async function checkMask(
  { bytes, declaredType }: UploadedFile,
  first: Pick<UploadedImage, 'width' | 'height'>,
): Promise<Buffer> {
  const invalid = (problem: string) =>
    invalidRequest(`Invalid mask image: ${problem}.`, 'mask', 'invalid_mask');
  if (bytes.length >= maximumMaskBytes) throw invalid('it must be smaller than 4 MB');
  const metadata = await sharp(bytes)
    .metadata()
    .catch(() => undefined);
  if (declaredType !== 'image/png' || metadata?.format !== 'png') throw invalid('it must be a PNG file');
  if (!metadata.hasAlpha) throw invalid('it must have an alpha channel');
  if (metadata.width !== first.width || metadata.height !== first.height) {
    throw invalid(
      `its size, ${metadata.width}x${metadata.height}, differs from that of the image, ${first.width}x${first.height}`,
    );
  }
  return bytes;
}

function unsupportedImage(found: string): ApiError {
  return invalidRequest(
    `Invalid file 'image': unsupported mimetype ('${found}'). Supported file formats are 'image/jpeg', 'image/png', and 'image/webp'.`,
    'image',
    'unsupported_file_mimetype',
  );
}
