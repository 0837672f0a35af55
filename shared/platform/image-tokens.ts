import { z } from 'zod';
import type { ImageQuality } from '#contract';
import type { TokenPrices } from './image-prices.ts';

/** Tokens of a call, by what they cost. */
export type Tokens = Record<keyof TokenPrices, number>;

const kinds = [
  'textInput',
  'cachedTextInput',
  'imageInput',
  'cachedImageInput',
  'imageOutput',
  'textOutput',
] as const satisfies (keyof Tokens)[];

/** What tokens cost, in micro-dollars, rounded up. */
export function costOf(tokens: Tokens, prices: TokenPrices): number {
  return Math.ceil(kinds.reduce((sum, kind) => sum + tokens[kind] * prices[kind], 0) / 1_000_000);
}

const count = z.number().int().min(0).max(1_000_000_000);
/** Absent, null and anything that is no number of tokens: not told. */
const told = count.nullish().catch(undefined);
const details = z
  .object({
    text_tokens: told,
    image_tokens: told,
    cached_tokens: told,
    cached_tokens_details: z.object({ text_tokens: told, image_tokens: told }).nullish().catch(undefined),
  })
  .nullish()
  .catch(undefined);
const usageSchema = z.object({
  input_tokens: count,
  output_tokens: count,
  input_tokens_details: details,
  output_tokens_details: details,
});

/**
 * Reads the usage that an answer reports (docs/provider.md). What it does not tell apart counts as what costs more: image
 * tokens, not cached.
 * @returns null if it reports none, or something else
 */
export function tokensOf(usage: unknown): Tokens | null {
  const read = usageSchema.safeParse(usage);
  if (!read.success) return null;
  const {
    input_tokens: input,
    output_tokens: output,
    input_tokens_details: given,
    output_tokens_details: made,
  } = read.data;
  const text = given?.text_tokens ?? 0;
  const image = Math.max(given?.image_tokens ?? 0, input - text);
  const cached = given?.cached_tokens_details;
  // Without the kinds, those from the cache are text, which saves less, as far as there is any.
  const cachedText = Math.min(text, cached?.text_tokens ?? given?.cached_tokens ?? 0);
  const cachedImage = Math.min(
    image,
    cached ? (cached.image_tokens ?? 0) : (given?.cached_tokens ?? 0) - cachedText,
  );
  const written = Math.min(output, made?.text_tokens ?? 0);
  return {
    textInput: text - cachedText,
    cachedTextInput: cachedText,
    imageInput: image - cachedImage,
    cachedImageInput: cachedImage,
    imageOutput: output - written,
    textOutput: written,
  };
}

/** What the tokens of a call depend on. */
export interface CallFacts {
  model: string;
  width: number;
  height: number;
  quality: ImageQuality;
  /** Pictures that are sent: photos, the image to change, and a mask. */
  pictures: number;
  prompt: string;
  previews: number;
}

/** Output tokens of a preview. */
const tokensOfPreview = 100;

/** Tokens around the prompt. */
const promptMargin = 100;

/** Tokens of a picture that is sent, at most; and text tokens that the model writes. */
const limitsOf = (model: string) =>
  isSecond(model)
    ? { picture: 1_536, text: 0 }
    : model.startsWith('gpt-image-1-mini')
      ? { picture: 2_000, text: 500 }
      : { picture: 8_000, text: 500 };

const isSecond = (model: string) => model.startsWith('gpt-image-2');

/**
 * The most tokens that a call can use, as far as OpenAI says or others have measured (docs/provider.md).
 */
export function mostTokens({ model, prompt, pictures, previews, ...image }: CallFacts): Tokens {
  const { picture, text } = limitsOf(model);
  return {
    // A token stands for at least one byte.
    textInput: Buffer.byteLength(prompt) + promptMargin,
    cachedTextInput: 0,
    imageInput: pictures * picture,
    cachedImageInput: 0,
    imageOutput: imageTokens(model, image) + previews * tokensOfPreview,
    textOutput: text,
  };
}

type MadeImage = Pick<CallFacts, 'width' | 'height' | 'quality'>;

/** Of the three sizes of the first models: 1024 × 1024, and the larger of the two others. */
const firstTokens: Readonly<Record<ImageQuality, readonly [square: number, other: number]>> = {
  low: [272, 408],
  medium: [1_056, 1_584],
  high: [4_160, 6_240],
};

/** Parts of the longer side, by quality. What 2.5 calls high is less than what 2 calls so; others may be as either. */
const partsOf = (model: string, quality: ImageQuality): number =>
  model.startsWith('gpt-image-2.5')
    ? { low: 16, medium: 24, high: 48 }[quality]
    : { low: 16, medium: 48, high: 96 }[quality];

/** Output tokens of an image. */
function imageTokens(model: string, { width, height, quality }: MadeImage): number {
  if (!isSecond(model)) return firstTokens[quality][width === height ? 0 : 1];
  const parts = partsOf(model, quality);
  const shorterParts = Math.round((parts * Math.min(width, height)) / Math.max(width, height));
  return Math.ceil((parts * shorterParts * (2_000_000 + width * height)) / 4_000_000);
}
