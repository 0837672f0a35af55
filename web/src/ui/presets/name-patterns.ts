import { exportPlaceholders, usualNamePattern } from '#contract';

/** Patterns of names that are offered for exported files; the first is used unless the seller chooses. */
export const namePatterns = [
  { value: usualNamePattern, label: 'Product, format and date' },
  { value: '{sku}_{preset}_{n}', label: 'SKU, format and number' },
  { value: '{asin}.{amazon}', label: 'Amazon: B000123456.MAIN' },
];

/** What a pattern may have in braces. */
export const placeholderList = exportPlaceholders.map((name) => `{${name}}`).join(', ');
