/**
 * Styles of images: their name for the seller, and the sentence that the provider is told. The local renderer knows a
 * style by the word of its name in the sentence that begins with `Style:`.
 */
export const imageStyles = {
  product: {
    name: 'Product',
    sentence: 'Style: a clean, sharp product photograph with even light and true colours.',
  },
  lifestyle: {
    name: 'Lifestyle',
    sentence: 'Style: a natural lifestyle photograph that shows the product where people use it.',
  },
  editorial: {
    name: 'Editorial',
    sentence: 'Style: an editorial photograph for a magazine, with strong composition and directed light.',
  },
  minimal: {
    name: 'Minimal',
    sentence: 'Style: a minimal photograph with few objects, plain surfaces and much empty space.',
  },
  vintage: {
    name: 'Vintage',
    sentence: 'Style: a vintage film photograph with soft contrast, warm tones and fine grain.',
  },
} as const satisfies Record<string, { name: string; sentence: string }>;
export type ImageStyle = keyof typeof imageStyles;
export const imageStyleNames = Object.keys(imageStyles) as [ImageStyle, ...ImageStyle[]];
