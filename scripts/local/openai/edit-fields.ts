/** The text fields of `POST /v1/images/edits`, validated as OpenAI does. */
import { ApiError, invalidRequest, missingParameter } from './errors.ts';

const maximumPromptCharacters = 32_000;
/** The sizes that every model makes. */
const threeSizes = ['1024x1024', '1536x1024', '1024x1536'] as const;
/** Limits of the other sizes: sides in pixels, their ratio, and the number of pixels. */
const sizeLimits = { multiple: 16, side: 3840, ratio: 3, leastPixels: 655_360, mostPixels: 8_294_400 };
const largestSeed = 2 ** 31 - 1;

/** The image formats for input and output. */
export type ImageFormat = 'png' | 'jpeg' | 'webp';
/** Every image format. */
export const formats: readonly ImageFormat[] = ['png', 'jpeg', 'webp'];
const backgrounds = ['transparent', 'opaque', 'auto'] as const;

/** The text fields of a valid request, with defaults filled in. */
export interface EditFields {
  model: string;
  prompt: string;
  width: number;
  height: number;
  quality: Quality;
  background: 'transparent' | 'opaque';
  outputFormat: ImageFormat;
  /** 0–100; only for jpeg and webp. */
  outputCompression: number;
  stream: boolean;
  partialImages: number;
  /** Undefined for the model's default. */
  inputFidelity: 'high' | 'low' | undefined;
  safetyIdentifier: string | undefined;
  /** OpenAI has no such parameter. Undefined: the description and the photos decide what the image looks like. */
  seed: number | undefined;
}

/**
 * Validates the fields.
 * @throws ApiError with OpenAI's status and code
 */
export function checkFields(fields: Map<string, string>): EditFields {
  for (const name of fields.keys()) {
    if (!parameters.has(name)) {
      throw invalidRequest(`Unknown parameter: '${name.slice(0, 100)}'.`, name, 'unknown_parameter');
    }
  }
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
  const qualities = qualitiesByModel.get(model);
  if (qualities === undefined) {
    throw invalidRequest(`The model '${model}' does not exist.`, 'model', 'model_not_found');
  }
  // OpenAI makes up to ten images in one call; this server makes one.
  integerWithin('n', fields.get('n') ?? '1', 1, 1);
  const seed = fields.get('seed');
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
    ...sizeOf(model, fields.get('size') ?? 'auto'),
    quality: oneOf('quality', fields.get('quality') ?? 'auto', qualities),
    background: background === 'transparent' ? 'transparent' : 'opaque',
    outputFormat,
    outputCompression: integerWithin('output_compression', fields.get('output_compression') ?? '100', 0, 100),
    stream: oneOf('stream', fields.get('stream') ?? 'false', ['true', 'false']) === 'true',
    partialImages: integerWithin('partial_images', fields.get('partial_images') ?? '0', 0, 3),
    inputFidelity: fidelityOf(model, fields.get('input_fidelity')),
    safetyIdentifier: identifierOf(fields.get('safety_identifier')),
    seed: seed === undefined ? undefined : integerWithin('seed', seed, 0, largestSeed),
  };
}

/** The parameters of an image edit that have no file; `seed` is this server's own. */
const parameters: ReadonlySet<string> = new Set([
  'background',
  'input_fidelity',
  'model',
  'n',
  'output_compression',
  'output_format',
  'partial_images',
  'prompt',
  'quality',
  'safety_identifier',
  'seed',
  'size',
  'stream',
  'user',
]);

/** Some models take it, the mini model only `low`, and all others refuse it (reported). */
function fidelityOf(model: string, asked: string | undefined): EditFields['inputFidelity'] {
  if (asked === undefined) return undefined;
  if (model === 'gpt-image-1.5') return oneOf<'high' | 'low'>('input_fidelity', asked, ['high', 'low']);
  if (model === 'gpt-image-1-mini' && asked === 'low') return 'low';
  throw new ApiError(400, {
    message: `The model '${model}' does not support the 'input_fidelity' parameter.`,
    type: 'image_generation_user_error',
    param: 'input_fidelity',
    code: 'invalid_input_fidelity_model',
  });
}

const longestIdentifier = 64;

function identifierOf(identifier: string | undefined): string | undefined {
  if (identifier !== undefined && identifier.length > longestIdentifier) {
    throw invalidRequest(
      `Invalid 'safety_identifier': string too long. Expected a string with maximum length ${longestIdentifier}, but got a string with length ${identifier.length} instead.`,
      'safety_identifier',
      'string_above_max_length',
    );
  }
  return identifier;
}

function sizeOf(model: string, asked: string): { width: number; height: number } {
  const named = asked === 'auto' ? '1024x1024' : asked;
  const size =
    takesAnySize(model) && /^[1-9]\d{1,3}x[1-9]\d{1,3}$/.test(named)
      ? named
      : oneOf('size', named, threeSizes, ['auto']);
  const [width, height] = size.split('x').map(Number) as [number, number];
  const { multiple, side, ratio, leastPixels, mostPixels } = sizeLimits;
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  const problem =
    width % multiple !== 0 || height % multiple !== 0
      ? `width and height must be divisible by ${multiple}`
      : longer > side
        ? `no side may be longer than ${side} pixels`
        : longer > shorter * ratio
          ? `the longer side may be at most ${ratio} times the shorter one`
          : width * height < leastPixels || width * height > mostPixels
            ? `the image must have ${leastPixels} to ${mostPixels} pixels`
            : undefined;
  if (problem !== undefined) {
    throw invalidRequest(`Invalid size '${asked}': ${problem}.`, 'size', 'invalid_value');
  }
  return { width, height };
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

const basicQualities = ['low', 'medium', 'high', 'auto'] as const;
const extendedQualities = [...basicQualities, 'xhigh', 'max'] as const;

/** A requested quality; `auto` becomes `medium`. */
export type Quality = (typeof extendedQualities)[number];

const qualitiesByModel: ReadonlyMap<string, readonly Quality[]> = new Map<string, readonly Quality[]>([
  ['gpt-image-2.6-flare', extendedQualities],
  ['gpt-image-2.6-sunburst', extendedQualities],
  ['gpt-image-2.5-flare', extendedQualities],
  ['gpt-image-2.5-flare-2026-09-08', extendedQualities],
  ['gpt-image-2.5-sunburst', extendedQualities],
  ['gpt-image-2.5-sunburst-2026-09-08', extendedQualities],
  ['gpt-image-2', basicQualities],
  ['gpt-image-1.5', basicQualities],
  ['gpt-image-1-mini', basicQualities],
  ['chatgpt-image-latest', basicQualities],
]);

/** The models that there are. */
export const models: readonly string[] = [...qualitiesByModel.keys()];

/** Whether a model makes every size within limits, and not only three. */
function takesAnySize(model: string): boolean {
  return model.startsWith('gpt-image-2');
}
