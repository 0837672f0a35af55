/** Formats of an exported file. */
export const exportFormats = ['png', 'jpeg', 'webp', 'avif'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** How a format is called, and the ending of its files. */
export const exportFormatNames: Readonly<Record<ExportFormat, { name: string; extension: string }>> = {
  png: { name: 'PNG', extension: 'png' },
  jpeg: { name: 'JPEG', extension: 'jpg' },
  webp: { name: 'WebP', extension: 'webp' },
  avif: { name: 'AVIF', extension: 'avif' },
};

/**
 * How an image was made, in terms of the IPTC's list. `trainedAlgorithmicMedia`: by AI, also if it was edited afterwards.
 * `composite`: of a photo's product and a drawn scene, none of it by generative AI; `compositeSynthetic` is only for
 * composites with parts by generative AI. `compositeWithTrainedAlgorithmicMedia`: such a composite that generative AI has
 * changed.
 */
export type DigitalSourceType =
  | 'trainedAlgorithmicMedia'
  | 'compositeWithTrainedAlgorithmicMedia'
  | 'composite';

/** Something that a marketplace wants of a file. Sides are in pixels. */
export type ExportRule = {
  /** Whether the marketplace's own documentation says so. Otherwise it is commonly recommended. */
  confirmed: boolean;
} & (
  | { kind: 'format'; format: ExportFormat }
  /** All of the background is pure white (255). */
  | { kind: 'white-background' }
  /** The longer side of the product is at least this fraction of the frame's. */
  | { kind: 'product-share'; least: number }
  | { kind: 'longest-side'; least: number; most?: number }
  | { kind: 'shortest-side'; least: number }
  | { kind: 'size'; width: number; height: number }
  /** Size of the file in bytes. */
  | { kind: 'bytes'; most: number }
  /** The file says how its image was made, so also whether AI made or changed it. */
  | { kind: 'digital-source-type' }
);
export type ExportRuleKind = ExportRule['kind'];

/** What a marketplace wants of an image. */
interface ExportPreset {
  name: string;
  /** Null if the seller chooses it. */
  format: ExportFormat | null;
  rules: readonly ExportRule[];
  /** What cannot be measured, so the seller has to look at it. */
  toCheck: string | null;
  /** The marketplace's own page; null if none was found. */
  source: string | null;
  /** When the rules were looked up. */
  date: string;
}

const jpeg = { kind: 'format', format: 'jpeg', confirmed: false } as const;
const megabyte = 1024 * 1024;
const date = '2026-11-23';

/** The presets by id. A rule that no page of the marketplace confirms is commonly recommended. */
export const exportPresets = {
  'amazon-main': {
    name: 'Amazon main image',
    format: 'jpeg',
    rules: [
      jpeg,
      { kind: 'white-background', confirmed: false },
      { kind: 'product-share', least: 0.85, confirmed: false },
      { kind: 'longest-side', least: 1_600, most: 10_000, confirmed: false },
    ],
    toCheck: 'No text, logo or border beside the product.',
    source: null,
    date,
  },
  'amazon-secondary': {
    name: 'Amazon secondary image',
    format: 'jpeg',
    rules: [jpeg, { kind: 'longest-side', least: 1_600, most: 10_000, confirmed: false }],
    toCheck: null,
    source: null,
    date,
  },
  ebay: {
    name: 'eBay',
    format: 'jpeg',
    rules: [
      jpeg,
      { kind: 'longest-side', least: 500, confirmed: true },
      { kind: 'longest-side', least: 1_600, confirmed: false },
    ],
    toCheck: 'No text or border.',
    source: 'https://www.ebay.com/help/policies/listing-policies/picture-policy?id=4370',
    date,
  },
  etsy: {
    name: 'Etsy',
    format: 'jpeg',
    rules: [jpeg, { kind: 'shortest-side', least: 2_000, confirmed: false }],
    toCheck:
      'Etsy asks for photos of the item itself, not renderings. See whether this image is allowed for your listing.',
    source: 'https://www.etsy.com/de-en/legal/policy/listing-image-requirements/253962679005',
    date,
  },
  shopify: {
    name: 'Shopify',
    format: 'jpeg',
    rules: [
      jpeg,
      { kind: 'size', width: 2_048, height: 2_048, confirmed: false },
      { kind: 'bytes', most: 20 * megabyte, confirmed: false },
    ],
    toCheck: null,
    source: null,
    date,
  },
  'google-merchant': {
    name: 'Google Merchant Center',
    format: 'jpeg',
    rules: [
      jpeg,
      { kind: 'shortest-side', least: 500, confirmed: false },
      { kind: 'bytes', most: 16 * megabyte, confirmed: false },
      { kind: 'digital-source-type', confirmed: false },
    ],
    toCheck: null,
    source: null,
    date,
  },
  'instagram-square': {
    name: 'Instagram 1:1',
    format: 'jpeg',
    rules: [jpeg, { kind: 'size', width: 1_080, height: 1_080, confirmed: false }],
    toCheck: null,
    source: null,
    date,
  },
  'instagram-portrait': {
    name: 'Instagram 4:5',
    format: 'jpeg',
    rules: [jpeg, { kind: 'size', width: 1_080, height: 1_350, confirmed: false }],
    toCheck: null,
    source: null,
    date,
  },
  original: {
    name: 'Original size',
    format: null,
    rules: [],
    toCheck: null,
    source: null,
    date,
  },
} as const satisfies Record<string, ExportPreset>;

export type ExportPresetId = keyof typeof exportPresets;
export const exportPresetIds = Object.keys(exportPresets) as [ExportPresetId, ...ExportPresetId[]];

/** @returns a preset; its rules as their common type */
export function exportPreset(id: ExportPresetId): ExportPreset {
  return exportPresets[id];
}
