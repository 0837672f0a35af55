/** Tokens as OpenAI bills them: by model, size and quality (docs/provider.md has the sources). */
import type { EditFields, Quality } from './edit-fields.ts';
import type { EditRequest } from './edits.ts';

/** Token counts as OpenAI reports them, for billing. Streams of image edits have no details of the output. */
export interface Usage {
  total_tokens: number;
  input_tokens: number;
  output_tokens: number;
  input_tokens_details: { text_tokens: number; image_tokens: number };
}

const outputTokensOfOnePartial = 100;

/** Of the first models: the sizes that they make. */
const firstTokens: Readonly<Record<string, Partial<Record<Quality, number>>>> = {
  '1024x1024': { low: 272, medium: 1_056, auto: 1_056, high: 4_160 },
  '1024x1536': { low: 408, medium: 1_584, auto: 1_584, high: 6_240 },
  '1536x1024': { low: 400, medium: 1_568, auto: 1_568, high: 6_208 },
};

/** Of models from 2 on: into how many parts the longer side is divided. */
const partsOfSecond: Readonly<Record<Quality, number>> = {
  low: 16,
  medium: 48,
  auto: 48,
  high: 96,
  xhigh: 96,
  max: 96,
};

/** The same of models from 2.5 on, whose qualities are more. */
const partsOfLater: Readonly<Record<Quality, number>> = {
  low: 16,
  medium: 24,
  auto: 24,
  high: 48,
  xhigh: 64,
  max: 96,
};

const isFirst = (model: string) => !model.startsWith('gpt-image-2');

/** Output tokens of an image. */
export function outputTokensOf({
  model,
  width,
  height,
  quality,
}: Pick<EditFields, 'model' | 'width' | 'height' | 'quality'>): number {
  if (isFirst(model)) return firstTokens[`${width}x${height}`]![quality]!;
  const parts = (/^gpt-image-2\.\d/.test(model) ? partsOfLater : partsOfSecond)[quality];
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  const shorterParts = Math.floor((2 * parts * shorter + longer) / (2 * longer));
  return Math.ceil((parts * shorterParts * (2_000_000 + width * height)) / 4_000_000);
}

const patch = 32;
const patchesMost = 1_536;

/** Input tokens of a picture, for models from 2 on: small ones are enlarged, large ones reduced to so many patches. */
function patchesOf(width: number, height: number): number {
  const enlarged = Math.min(2, Math.max(1, 1_024 / Math.max(width, height)));
  const patches = Math.ceil((width * enlarged) / patch) * Math.ceil((height * enlarged) / patch);
  return Math.min(patchesMost, patches);
}

/** The same for the first models: tiles of 512 pixels after a reduction, and more for their details if they are kept. */
function tilesOf(width: number, height: number, isDetailed: boolean): number {
  const fit = Math.min(1, 512 / Math.min(width, height));
  const tiles = Math.ceil((width * fit) / 512) * Math.ceil((height * fit) / 512);
  return 65 + 129 * tiles + (isDetailed ? (width === height ? 4_096 : 6_144) : 0);
}

/** Calculates the usage: about four characters for a text token, 100 output tokens for a partial image. */
export function usageOf(request: EditRequest, partialsSent: number): Usage {
  const textTokens = Math.ceil(request.prompt.length / 4);
  const isDetailed = request.inputFidelity === 'high';
  const imageTokens = request.images
    .map(({ width, height }) =>
      isFirst(request.model) ? tilesOf(width, height, isDetailed) : patchesOf(width, height),
    )
    .reduce((sum, tokens) => sum + tokens, 0);
  const outputTokens = outputTokensOf(request) + partialsSent * outputTokensOfOnePartial;
  return {
    total_tokens: textTokens + imageTokens + outputTokens,
    input_tokens: textTokens + imageTokens,
    output_tokens: outputTokens,
    input_tokens_details: { text_tokens: textTokens, image_tokens: imageTokens },
  };
}
