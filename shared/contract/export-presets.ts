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
  /** True of what the marketplace's documentation recommends, and does not demand. */
  advised?: true;
} & (
  | { kind: 'format'; format: ExportFormat }
  /** All of the background is pure white (255). */
  | { kind: 'white-background' }
  /** All of the background is this colour, or transparent if it is null. */
  | { kind: 'background'; colour: string | null }
  /**
   * The longer side of the product is at least this fraction of the frame's. If it is exact, the product takes this fraction of
   * the frame's width or height, whichever it reaches first, and not more.
   */
  | { kind: 'product-share'; least: number; isExact?: true }
  | { kind: 'longest-side'; least: number; most?: number }
  | { kind: 'shortest-side'; least: number }
  | { kind: 'size'; width: number; height: number }
  /** Width to height, whatever the size. */
  | { kind: 'ratio'; width: number; height: number }
  /** Size of the file in bytes. */
  | { kind: 'bytes'; least?: number; most: number }
  /** The file says how its image was made, so also whether AI made or changed it. */
  | { kind: 'digital-source-type' }
);
export type ExportRuleKind = ExportRule['kind'];

/** Kinds of presets, in the order in which they are shown. */
export const exportPresetGroups = ['marketplaces', 'social', 'shops', 'general'] as const;
export type ExportPresetGroup = (typeof exportPresetGroups)[number];

/** The presets, by their groups and within these by their names. The table of their rules is in a module of its own. */
export const exportPresetIds = [
  'allegro',
  'amazon-main',
  'amazon-secondary',
  'bol',
  'ebay',
  'etsy',
  'google-merchant',
  'mercado-libre',
  'otto',
  'temu',
  'temu-clothing',
  'tiktok-shop',
  'walmart',
  'zalando',
  'instagram-square',
  'instagram-portrait',
  'meta-shop',
  'pinterest',
  'shopify',
  'woocommerce',
  'original',
] as const;
export type ExportPresetId = (typeof exportPresetIds)[number];

/** The id of a preset that a seller made. */
export type OwnPresetId = `own-${string}`;
/** The id of a preset of either kind. */
export type PresetId = ExportPresetId | OwnPresetId;

export const isOwnPresetId = (id: PresetId): id is OwnPresetId => id.startsWith('own-');
