import { expect, test } from 'vitest';
import { imageProviderNames } from '#contract';
import {
  findPrice,
  isBilled,
  microDollars,
  PricesError,
  parsePrices,
  publishedPrices,
} from './image-prices.ts';

test('amounts are whole micro-dollars', () => {
  expect(['0', '5', '1.25', '0.000001', '12.3', '999999.999999'].map(microDollars)).toEqual([
    0, 5_000_000, 1_250_000, 1, 12_300_000, 999_999_999_999,
  ]);
  for (const text of ['', '-1', '1e3', '.5', '1.', '0.0000001', '1,5', '$5', '1234567', 'NaN']) {
    expect(microDollars(text), text).toBeNull();
  }
});

test('each published price is complete, and is of a day that there is', () => {
  expect(publishedPrices.length).toBe(8);
  for (const price of publishedPrices) {
    expect(new Date(`${price.from}T00:00:00Z`).toISOString()).toContain(price.from);
    const { model: _, from: __, ...amounts } = price;
    for (const amount of Object.values(amounts)) {
      expect(Number.isInteger(amount) && amount > 0, price.model).toBe(true);
    }
    expect(price.cachedTextInput).toBeLessThan(price.textInput);
    expect(price.cachedImageInput).toBeLessThan(price.imageInput);
  }
});

test('a price holds from its day on, and a snapshot has that of its model', () => {
  expect(findPrice([], 'gpt-image-2.5-flare', '2026-09-07')).toBeNull();
  expect(findPrice([], 'gpt-image-2.5-flare', '2026-09-08')).toMatchObject({ imageOutput: 30_000_000 });
  expect(findPrice([], 'gpt-image-2.5-flare-2026-09-08', '2026-11-28')).toMatchObject({
    imageInput: 8_000_000,
  });
  expect(findPrice([], 'gpt-image-1-mini', '2026-11-28')).toMatchObject({
    textInput: 2_000_000,
    cachedTextInput: 200_000,
    imageOutput: 8_000_000,
  });
  // Not the price of a model whose name begins so.
  for (const model of ['gpt-image-2.5', 'gpt-image-3', 'gpt-image-2-ultra', '']) {
    expect(findPrice([], model, '2026-11-28'), model).toBeNull();
  }
});

test('prices of the setting count from their day on, before those that are published', () => {
  const given = parsePrices(
    'gpt-image-2@2026-12-01:6/1.5/9/2.5/35, gpt-image-2@2026-04-21:1/1/1/1/1, gpt-image-3@2027-01-15:5/1.25/8/2/30/10',
  );
  expect(findPrice(given, 'gpt-image-2', '2026-11-30')).toMatchObject({ imageOutput: 1_000_000 });
  expect(findPrice(given, 'gpt-image-2', '2026-12-01')).toMatchObject({
    textInput: 6_000_000,
    imageOutput: 35_000_000,
    // As much as an image's, where it is not given.
    textOutput: 35_000_000,
  });
  expect(findPrice(given, 'gpt-image-3', '2027-01-14')).toBeNull();
  expect(findPrice(given, 'gpt-image-3', '2027-01-15')).toMatchObject({ textOutput: 10_000_000 });
});

test.for([
  '',
  'gpt-image-2',
  'gpt-image-2@2026-12-01',
  'gpt-image-2@2026-12-01:5/1/8/2',
  'gpt-image-2@2026-12-01:5/1/8/2/30/1/1',
  'gpt-image-2@2026-12-01:5/1/8/2/x',
  'gpt-image-2@2026-02-30:5/1/8/2/30',
  'gpt-image-2@2026-13-01:5/1/8/2/30',
  'gpt image@2026-12-01:5/1/8/2/30',
  'gpt-image-2@2026-12-01:5/1/8/2/30,',
])('%s is refused', (text) => {
  expect(() => parsePrices(text)).toThrow(PricesError);
});

test('only a provider that is paid is billed', () => {
  expect(imageProviderNames.filter(isBilled)).toEqual(['openai']);
});
