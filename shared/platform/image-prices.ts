import type { ImageProviderName } from '#contract';

/*
 * What a million tokens cost. Money is in whole micro-dollars everywhere: sums of fractions of a dollar would not add up.
 * docs/provider.md has the source of each figure.
 */

/** Micro-dollars for a million tokens, by what they are. */
export interface TokenPrices {
  textInput: number;
  cachedTextInput: number;
  imageInput: number;
  cachedImageInput: number;
  imageOutput: number;
  textOutput: number;
}

/** The prices of a model from a day on. */
export interface ModelPrice extends TokenPrices {
  model: string;
  /** The first day (UTC) on which they hold, as `2026-09-08`. */
  from: string;
}

/** Whether calls to a provider are billed. What costs nothing has no ledger. */
const billed: Readonly<Record<ImageProviderName, boolean>> = { openai: true, local: false, echo: false };

export const isBilled = (provider: ImageProviderName): boolean => billed[provider];

/** Prices are written in US dollars: text input, the same from the cache, image input, the same, image output, text output. */
type Dollars = readonly [
  textInput: string,
  cachedTextInput: string,
  imageInput: string,
  cachedImageInput: string,
  imageOutput: string,
  textOutput: string,
];

const second: Dollars = ['5', '1.25', '8', '2', '30', '30'];

/** As OpenAI publishes them. The images edits of models from 2 on have no text output; it would cost as much as an image's. */
const published: readonly (readonly [model: string, from: string, dollars: Dollars])[] = [
  ['gpt-image-2.6-flare', '2026-11-04', second],
  ['gpt-image-2.6-sunburst', '2026-11-04', second],
  ['gpt-image-2.5-flare', '2026-09-08', second],
  ['gpt-image-2.5-sunburst', '2026-09-08', second],
  ['gpt-image-2', '2026-04-21', second],
  ['gpt-image-1.5', '2025-12-16', ['5', '1.25', '8', '2', '32', '10']],
  ['chatgpt-image-latest', '2025-12-16', ['5', '1.25', '8', '2', '32', '10']],
  ['gpt-image-1-mini', '2025-10-06', ['2', '0.2', '2.5', '0.25', '8', '8']],
];

const amount = /^\d{1,6}(\.\d{1,6})?$/;

/** @returns micro-dollars; null if the text is no amount in US dollars with at most six decimals */
export function microDollars(dollars: string): number | null {
  if (!amount.test(dollars)) return null;
  const [whole = '', part = ''] = dollars.split('.');
  return Number(whole) * 1_000_000 + Number(part.padEnd(6, '0'));
}

function priceOf(model: string, from: string, dollars: readonly string[]): ModelPrice | null {
  const amounts = dollars.map(microDollars);
  if (amounts.some((each) => each === null)) return null;
  const [textInput, cachedTextInput, imageInput, cachedImageInput, imageOutput, textOutput] =
    amounts as number[];
  return {
    model,
    from,
    textInput: textInput!,
    cachedTextInput: cachedTextInput!,
    imageInput: imageInput!,
    cachedImageInput: cachedImageInput!,
    imageOutput: imageOutput!,
    textOutput: textOutput ?? imageOutput!,
  };
}

/** The published prices, the oldest first. */
export const publishedPrices: readonly ModelPrice[] = published
  .map(([model, from, dollars]) => priceOf(model, from, dollars)!)
  .toSorted((one, other) => one.from.localeCompare(other.from));

/** What is wrong with a text of prices. */
export class PricesError extends Error {
  override name = 'PricesError';
}

const form =
  'must be MODEL@2026-12-31:TEXT_IN/CACHED_TEXT_IN/IMAGE_IN/CACHED_IMAGE_IN/IMAGE_OUT, in US dollars for a million tokens, with /TEXT_OUT where it differs; several are separated by commas';

/** Reads the setting IMAGE_PRICES. @throws PricesError */
export function parsePrices(text: string): ModelPrice[] {
  return text.split(',').map((entry) => {
    const [, model, from, dollars] = /^\s*([\w.-]+)@(\d{4}-\d\d-\d\d):([\d./]+)\s*$/.exec(entry) ?? [];
    const parts = dollars?.split('/') ?? [];
    const price = parts.length === 5 || parts.length === 6 ? priceOf(model!, from!, parts) : null;
    if (price === null || !isDay(from!)) throw new PricesError(form);
    return price;
  });
}

/** Whether a text is a day that there is. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/**
 * Finds the prices of a model on a day. A snapshot, such as `gpt-image-2-2026-04-21`, has those of its model.
 * @param given those of the setting, which count before the published ones from the same day on
 * @returns null if none is known
 */
export function findPrice(given: readonly ModelPrice[], model: string, day: string): ModelPrice | null {
  const names = [model, model.replace(/-\d{4}-\d\d-\d\d$/, '')];
  const known = [...publishedPrices, ...given]
    .filter((price) => names.includes(price.model) && price.from <= day)
    // Stable: of the same day, the one of the setting comes last.
    .toSorted((one, other) => one.from.localeCompare(other.from));
  return known.at(-1) ?? null;
}
