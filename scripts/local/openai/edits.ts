/** Parses `POST /v1/images/edits`: a multipart form with its parts in any order, validated as OpenAI does. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import sharp from 'sharp';
import { ApiError, invalidImageFile, invalidRequest, missingParameter } from './errors.ts';
import { type Quality, qualitiesOf } from './models.ts';

const maximumImages = 16;
const maximumImageBytes = 50 * 1024 * 1024;
const maximumPromptCharacters = 32_000;

const sizes = {
  '1024x1024': { width: 1024, height: 1024 },
  '1536x1024': { width: 1536, height: 1024 },
  '1024x1536': { width: 1024, height: 1536 },
} as const;

/** The three sizes that this server renders. */
type Size = keyof typeof sizes;
/** The image formats for input and output. */
export type ImageFormat = 'png' | 'jpeg' | 'webp';
const formats: readonly ImageFormat[] = ['png', 'jpeg', 'webp'];
const backgrounds = ['transparent', 'opaque', 'auto'] as const;

/** An uploaded image with its type and size. */
interface UploadedImage {
  bytes: Buffer;
  sha256: string;
  width: number;
  height: number;
  format: ImageFormat;
}

/** A valid edit request, with defaults filled in. */
export interface EditRequest {
  model: string;
  prompt: string;
  size: Size;
  width: number;
  height: number;
  quality: Quality;
  background: 'transparent' | 'opaque';
  outputFormat: ImageFormat;
  /** 0–100; only for jpeg and webp. */
  outputCompression: number;
  count: number;
  stream: boolean;
  partialImages: number;
  images: UploadedImage[];
}

interface RawForm {
  fields: Map<string, string>;
  images: { bytes: Buffer; declaredType: string }[];
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
  return { ...checkFields(form.fields), images: await checkImages(form.images) };
}

async function readForm(request: FastifyRequest): Promise<RawForm> {
  const form: RawForm = { fields: new Map(), images: [] };
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
        const chunks: Buffer[] = [];
        for await (const chunk of part.file) chunks.push(chunk as Buffer);
        const bytes = Buffer.concat(chunks);
        if (part.file.truncated || bytes.length >= maximumImageBytes) oversized = true;
        else form.images.push({ bytes, declaredType: part.mimetype });
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

function checkFields(fields: Map<string, string>): Omit<EditRequest, 'images'> {
  const prompt = fields.get('prompt');
  if (prompt === undefined || prompt.trim() === '') throw missingParameter('prompt');
  if (prompt.length > maximumPromptCharacters) {
    throw invalidRequest(
      `Invalid 'prompt': string too long. Expected a string with maximum length ${maximumPromptCharacters}, but got a string with length ${prompt.length} instead.`,
      'prompt',
      'string_above_max_length',
    );
  }
  const model = fields.get('model');
  if (model === undefined || model === '') throw missingParameter('model');
  const qualities = qualitiesOf(model);
  if (qualities === undefined) {
    throw invalidRequest(`The model '${model}' does not exist.`, 'model', 'model_not_found');
  }
  const asked = fields.get('size') ?? 'auto';
  const size = asked === 'auto' ? '1024x1024' : oneOf('size', asked, Object.keys(sizes) as Size[], ['auto']);
  const outputFormat = oneOf('output_format', fields.get('output_format') ?? 'png', formats);
  const background = oneOf('background', fields.get('background') ?? 'auto', backgrounds);
  if (background === 'transparent' && outputFormat === 'jpeg') {
    throw invalidRequest(
      "Transparent backgrounds need 'png' or 'webp' as output format.",
      'background',
      'invalid_value',
    );
  }
  return {
    model,
    prompt,
    size,
    ...sizes[size],
    quality: oneOf('quality', fields.get('quality') ?? 'auto', qualities),
    background: background === 'transparent' ? 'transparent' : 'opaque',
    outputFormat,
    outputCompression: integerWithin('output_compression', fields.get('output_compression') ?? '100', 0, 100),
    count: integerWithin('n', fields.get('n') ?? '1', 1, 10),
    stream: oneOf('stream', fields.get('stream') ?? 'false', ['true', 'false']) === 'true',
    partialImages: integerWithin('partial_images', fields.get('partial_images') ?? '0', 0, 3),
  };
}

function oneOf<Value extends string>(
  param: string,
  value: string,
  allowed: readonly Value[],
  alsoNamed: readonly string[] = [],
): Value {
  const match = allowed.find((candidate) => candidate === value);
  if (match !== undefined) return match;
  const supported = [...allowed, ...alsoNamed].map((name) => `'${name}'`).join(', ');
  throw invalidRequest(
    `Invalid value: '${value.slice(0, 100)}'. Supported values are: ${supported}.`,
    param,
    'invalid_value',
  );
}

function integerWithin(param: string, text: string, minimum: number, maximum: number): number {
  const value = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
  throw invalidRequest(
    `Invalid '${param}': expected an integer between ${minimum} and ${maximum}, but got '${text.slice(0, 100)}'.`,
    param,
    'invalid_value',
  );
}

async function checkImages(images: RawForm['images']): Promise<UploadedImage[]> {
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

function unsupportedImage(found: string): ApiError {
  return invalidRequest(
    `Invalid file 'image': unsupported mimetype ('${found}'). Supported file formats are 'image/jpeg', 'image/png', and 'image/webp'.`,
    'image',
    'unsupported_file_mimetype',
  );
}
