/** Parses `POST /v1/images/edits`: a multipart form with its parts in any order, validated as OpenAI does. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import sharp from 'sharp';
import { checkFields, type EditFields, formats, type ImageFormat } from './edit-fields.ts';
import { ApiError, invalidImageFile, invalidRequest, missingParameter } from './errors.ts';

const maximumImages = 16;
const maximumImageBytes = 50 * 1024 * 1024;

/** A valid edit request, with defaults filled in. */
export interface EditRequest extends EditFields {
  images: UploadedImage[];
  /** A PNG of the first image's size; where it is transparent, that image may change. */
  mask: Buffer | undefined;
}

interface RawForm {
  fields: Map<string, string>;
  images: UploadedFile[];
  mask: UploadedFile | undefined;
}

/**
 * Parses and validates the multipart form.
 * @throws ApiError with OpenAI's status and code; by then every part has been read or discarded
 */
export async function readEditRequest(request: FastifyRequest): Promise<EditRequest> {
  if (!request.isMultipart()) {
    throw invalidRequest(
      "Invalid content type: send the request as 'multipart/form-data'.",
      'content-type',
      'invalid_content_type',
    );
  }
  const form = await readForm(request);
  const fields = checkFields(form.fields);
  const images = await checkImages(form.images);
  const mask = form.mask && (await checkMask(form.mask, images[0]!));
  return { ...fields, images, mask };
}

async function readForm(request: FastifyRequest): Promise<RawForm> {
  const form: RawForm = { fields: new Map(), images: [], mask: undefined };
  let imageCount = 0;
  let oversized = false;
  try {
    for await (const part of request.parts({
      limits: { fileSize: maximumImageBytes, files: 64, fields: 100, fieldSize: 1024 * 1024 },
    })) {
      const name = part.fieldname;
      if (part.type === 'field') {
        form.fields.set(name, String(part.value));
      } else if (name === 'image' || name === 'image[]') {
        imageCount += 1;
        // A rejected image is read to its end and discarded, so that the client receives the reply.
        if (imageCount > maximumImages || oversized) {
          part.file.resume();
          continue;
        }
        const bytes = await readFile(part.file);
        if (part.file.truncated || bytes.length >= maximumImageBytes) oversized = true;
        else form.images.push({ bytes, declaredType: part.mimetype });
      } else if (name === 'mask') {
        form.mask = { bytes: await readFile(part.file), declaredType: part.mimetype };
      } else {
        part.file.resume();
      }
    }
  } catch (error) {
    throw new ApiError(400, {
      message: `The multipart form could not be read: ${error instanceof Error ? error.message : 'unknown cause'}.`,
      type: 'invalid_request_error',
      code: 'invalid_multipart_form',
    });
  }
  if (imageCount === 0) throw missingParameter('image');
  if (imageCount > maximumImages) {
    throw invalidRequest(
      `Invalid 'image': array too long. Expected an array with maximum length ${maximumImages}, but got an array with length ${imageCount} instead.`,
      'image',
      'array_above_max_length',
    );
  }
  if (oversized) {
    throw invalidRequest('Invalid image: each image must be smaller than 50 MB.', 'image', 'image_too_large');
  }
  return form;
}

async function readFile(file: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const maximumMaskBytes = 4 * 1024 * 1024;

/** A file of the form. */
interface UploadedFile {
  bytes: Buffer;
  declaredType: string;
}

/** An uploaded image with its type and size. */
interface UploadedImage {
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
async function checkImages(images: readonly UploadedFile[]): Promise<UploadedImage[]> {
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
async function checkMask(
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
