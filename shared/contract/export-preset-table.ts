import type { ExportFormat, ExportPresetGroup, ExportPresetId, ExportRule } from './export-presets.ts';

/** What a marketplace wants of an image. */
export interface ExportPreset {
  name: string;
  group: ExportPresetGroup;
  /** Null if the seller chooses it. */
  format: ExportFormat | null;
  rules: readonly ExportRule[];
  /** What cannot be measured, so the seller has to look at it. */
  toCheck: string | null;
  /** The marketplace's own page, which has every confirmed rule; null if none was found. */
  source: string | null;
  /** Where the rules that are not confirmed come from; null if there are none. */
  origin: string | null;
  /** When the rules were looked up. */
  date: string;
}

const jpeg = { kind: 'format', format: 'jpeg', confirmed: false } as const;
const jpegConfirmed = { ...jpeg, confirmed: true } as const;
const square = { kind: 'ratio', width: 1, height: 1 } as const;
const kilobyte = 1024;
const megabyte = 1024 * kilobyte;
const date = '2026-11-28';

/** The presets by id. A rule that no page of the marketplace confirms is commonly recommended. */
export const exportPresets = {
  allegro: {
    name: 'Allegro',
    group: 'marketplaces',
    format: 'jpeg',
    rules: [
      jpeg,
      { kind: 'white-background', confirmed: false },
      { kind: 'longest-side', least: 500, most: 2_560, confirmed: true },
    ],
    toCheck: 'No text or logo on the first image. Allegro has a field for images made by AI.',
    source: 'https://github.com/allegro/allegro-api/issues/8412',
    origin: "reports on Allegro's rules by komputerswiat.pl (white) and izimi.cn (JPEG)",
    date,
  },
  'amazon-main': {
    name: 'Amazon main image',
    group: 'marketplaces',
    format: 'jpeg',
    rules: [
      jpeg,
      { kind: 'white-background', confirmed: true },
      { kind: 'product-share', least: 0.85, confirmed: false },
      { kind: 'longest-side', least: 1_600, most: 10_000, confirmed: false },
    ],
    toCheck: 'No text, logo or border beside the product, and no shadow that reaches the edge.',
    source: 'https://sellercentral.amazon.es/gp/help/external/help.html?itemID=75PWC4THA8J269P',
    origin: "sellers' guides that quote Seller Central, such as mercatuslab.com",
    date,
  },
  'amazon-secondary': {
    name: 'Amazon secondary image',
    group: 'marketplaces',
    format: 'jpeg',
    rules: [jpeg, { kind: 'longest-side', least: 1_600, most: 10_000, confirmed: false }],
    toCheck: null,
    source: null,
    origin: "sellers' guides that quote Seller Central, such as mercatuslab.com",
    date,
  },
  bol: {
    name: 'Bol',
    group: 'marketplaces',
    format: 'jpeg',
    rules: [
      jpeg,
      { kind: 'white-background', confirmed: true },
      { kind: 'shortest-side', least: 500, confirmed: true },
      { kind: 'shortest-side', least: 1_200, confirmed: true, advised: true },
      { kind: 'longest-side', least: 500, most: 6_000, confirmed: true },
      { kind: 'bytes', least: 30 * kilobyte, most: 10 * megabyte, confirmed: true },
    ],
    toCheck:
      'No visible shadow, text or logo on the main image. White around the product does not count as pixels.',
    source: 'https://partnerplatform.bol.com/en/need-help/productinformation/optimise-images/',
    origin: 'JPEG is what most marketplaces take',
    date,
  },
  ebay: {
    name: 'eBay',
    group: 'marketplaces',
    format: 'jpeg',
    rules: [
      jpeg,
      { kind: 'longest-side', least: 500, confirmed: true },
      { kind: 'longest-side', least: 1_600, confirmed: false },
    ],
    toCheck: 'No text or border.',
    source: 'https://www.ebay.com/help/policies/listing-policies/picture-policy?id=4370',
    origin: "eBay's pages for developers (JPEG) and for its catalogue (1,600 px)",
    // The page could not be read again later.
    date: '2026-11-23',
  },
  etsy: {
    name: 'Etsy',
    group: 'marketplaces',
    format: 'jpeg',
    rules: [jpeg, { kind: 'shortest-side', least: 2_000, confirmed: false }],
    toCheck:
      'Etsy asks for photos of the item itself, not renderings. See whether this image is allowed for your listing.',
    source: 'https://www.etsy.com/de-en/legal/policy/listing-image-requirements/253962679005',
    origin: "sellers' guides, such as hauld.app",
    date,
  },
  'google-merchant': {
    name: 'Google Merchant Center',
    group: 'marketplaces',
    format: 'jpeg',
    rules: [
      jpegConfirmed,
      { kind: 'shortest-side', least: 500, confirmed: true },
      { kind: 'shortest-side', least: 1_500, confirmed: true, advised: true },
      { kind: 'bytes', most: 16 * megabyte, confirmed: true },
      { kind: 'digital-source-type', confirmed: false },
    ],
    toCheck: null,
    source: 'https://support.google.com/merchants/answer/6324350',
    origin: "reports that quote Google's rule for images made by AI, such as wordtracker.com",
    date,
  },
  'mercado-libre': {
    name: 'Mercado Libre',
    group: 'marketplaces',
    format: 'jpeg',
    rules: [
      jpegConfirmed,
      { kind: 'shortest-side', least: 500, confirmed: true },
      { kind: 'longest-side', least: 1_200, most: 1_920, confirmed: true, advised: true },
      { kind: 'bytes', most: 10 * megabyte, confirmed: true },
    ],
    toCheck: 'The product should take 95 % of the image.',
    source: 'https://developers.mercadolibre.com.ar/en_us/working-with-pictures',
    origin: null,
    date,
  },
  otto: {
    name: 'OTTO',
    group: 'marketplaces',
    format: 'jpeg',
    rules: [
      jpeg,
      { kind: 'shortest-side', least: 500, confirmed: false },
      { kind: 'longest-side', least: 1_000, most: 4_500, confirmed: false },
    ],
    toCheck: 'A light, neutral background without text or logo. The product should take 85 % of the image.',
    source: null,
    origin: 'help.lengow.com, which quotes OTTO, and portal.marcos-software.de (4,500 px)',
    date,
  },
  temu: {
    name: 'Temu',
    group: 'marketplaces',
    format: 'jpeg',
    rules: [
      jpeg,
      { ...square, confirmed: false },
      { kind: 'shortest-side', least: 800, confirmed: false },
      { kind: 'bytes', most: 2 * megabyte, confirmed: false },
    ],
    toCheck: 'No text, watermark or collage on the first image.',
    source: null,
    origin: "a sellers' guide at caishen.com",
    date,
  },
  'temu-clothing': {
    name: 'Temu clothing',
    group: 'marketplaces',
    format: 'jpeg',
    rules: [
      jpeg,
      { kind: 'ratio', width: 3, height: 4, confirmed: false },
      { kind: 'shortest-side', least: 1_340, confirmed: false },
      { kind: 'bytes', most: 2 * megabyte, confirmed: false },
    ],
    toCheck: 'No text, watermark or collage. Temu also asks for data about the model.',
    source: null,
    origin: "a sellers' guide at chwang.com (1,340 × 1,785 px)",
    date,
  },
  'tiktok-shop': {
    name: 'TikTok Shop',
    group: 'marketplaces',
    format: 'jpeg',
    rules: [
      jpeg,
      { kind: 'white-background', confirmed: false },
      { ...square, confirmed: false },
      { kind: 'shortest-side', least: 600, confirmed: false },
      { kind: 'bytes', most: 5 * megabyte, confirmed: false },
    ],
    toCheck: 'No text, watermark or border. The product must look as customers get it.',
    source: 'https://seller-vn.tiktok.com/university/essay?knowledge_id=5918681919178512&lang=en',
    origin: "sellers' guides, such as emberfeed.com and imagespeccheck.com",
    date,
  },
  walmart: {
    name: 'Walmart',
    group: 'marketplaces',
    format: 'jpeg',
    rules: [
      jpegConfirmed,
      { kind: 'white-background', confirmed: true },
      { ...square, confirmed: true },
      { kind: 'shortest-side', least: 1_500, confirmed: true },
      { kind: 'shortest-side', least: 2_200, confirmed: true, advised: true },
      { kind: 'bytes', most: 5 * megabyte, confirmed: true },
    ],
    toCheck: null,
    source:
      'https://marketplacelearn.walmart.com/guides/Item%20setup/Item%20content,%20imagery,%20and%20media/Product-detail-page:-Image-guidelines-&-requirements',
    origin: null,
    date,
  },
  zalando: {
    name: 'Zalando',
    group: 'marketplaces',
    format: 'jpeg',
    rules: [
      jpegConfirmed,
      { kind: 'white-background', confirmed: false },
      // 1 : 1.44, so that both the smallest size (762 × 1,100) and the best one (1,801 × 2,600) have it.
      { kind: 'ratio', width: 762, height: 1_100, confirmed: true },
      { kind: 'shortest-side', least: 762, confirmed: true },
      { kind: 'shortest-side', least: 1_801, confirmed: true, advised: true },
      { kind: 'bytes', most: 20 * megabyte, confirmed: true },
    ],
    toCheck: 'In some categories the first image has to show a model.',
    source: 'https://partner.zalando.com/university/article/accessories-image-guide',
    origin: 'Zalando asks for white packshots; that it means pure white is the usual reading',
    date,
  },
  'instagram-square': {
    name: 'Instagram 1:1',
    group: 'social',
    format: 'jpeg',
    rules: [jpeg, { kind: 'size', width: 1_080, height: 1_080, confirmed: false }],
    toCheck: null,
    source: null,
    origin: 'the documentation of ayrshare.com',
    date,
  },
  'instagram-portrait': {
    name: 'Instagram 4:5',
    group: 'social',
    format: 'jpeg',
    rules: [jpeg, { kind: 'size', width: 1_080, height: 1_350, confirmed: false }],
    toCheck: null,
    source: null,
    origin: 'the documentation of ayrshare.com',
    date,
  },
  'meta-shop': {
    name: 'Meta shop (Facebook, Instagram)',
    group: 'social',
    format: 'jpeg',
    rules: [
      jpeg,
      { ...square, confirmed: false },
      { kind: 'shortest-side', least: 1_024, confirmed: false },
      { kind: 'bytes', most: 8 * megabyte, confirmed: false },
    ],
    toCheck: 'No text, offer or watermark.',
    source: null,
    origin: "a copy of Facebook's guidelines for shops at brandee.edu.vn, and joomlashack.com (8 MB)",
    date,
  },
  pinterest: {
    name: 'Pinterest',
    group: 'social',
    format: 'jpeg',
    rules: [
      jpegConfirmed,
      { kind: 'ratio', width: 2, height: 3, confirmed: true, advised: true },
      { kind: 'shortest-side', least: 1_000, confirmed: true, advised: true },
      { kind: 'bytes', most: 20 * megabyte, confirmed: false },
    ],
    toCheck: null,
    source: 'https://help.pinterest.com/en/business/article/pinterest-product-specs',
    origin: "ntooitive.com (20 MB from a computer); Pinterest's own page says 32 MB",
    date,
  },
  shopify: {
    name: 'Shopify',
    group: 'shops',
    format: 'jpeg',
    rules: [
      jpegConfirmed,
      { kind: 'longest-side', least: 2_048, most: 2_048, confirmed: true, advised: true },
      { kind: 'bytes', most: 20 * megabyte, confirmed: false },
    ],
    toCheck: null,
    source: 'https://shopify.dev/docs/apps/online-store/media/products',
    origin: "shop owners' guides, such as sellshot.ai",
    date,
  },
  woocommerce: {
    name: 'WooCommerce',
    group: 'shops',
    format: 'jpeg',
    rules: [
      jpeg,
      { kind: 'shortest-side', least: 600, confirmed: true, advised: true },
      { kind: 'longest-side', least: 1_200, confirmed: false },
    ],
    toCheck: null,
    source: 'https://developer.woocommerce.com/docs/image-sizing-for-theme-developers/',
    origin: "shop owners' guides, such as arcgruppen.se",
    date,
  },
  original: {
    name: 'Original size',
    group: 'general',
    format: null,
    rules: [],
    toCheck: null,
    source: null,
    origin: null,
    date,
  },
} as const satisfies Record<ExportPresetId, ExportPreset>;

/** @returns a preset; its rules as their common type */
export function exportPreset(id: ExportPresetId): ExportPreset {
  return exportPresets[id];
}
