import type { PictureGroup } from '../picture.ts';

/** The eight images of the landing page's carousel. */
export const landing: PictureGroup = {
  folder: 'landing',
  widths: [320, 640, 960],
  pictures: [
    {
      name: 'headphones-neon',
      alt: 'White headphones on a glossy surface in pink and blue neon light',
      source: {
        photos: ['headphones-1'],
        scene: 'On a glossy surface in a club at night, pink and blue neon light out of focus behind.',
      },
    },
    {
      name: 'soap-pastel',
      alt: 'Three stacked bars of soap on pastel pink paper in front of a pale yellow wall',
      source: {
        photos: ['soap-1'],
        scene: 'On pastel pink paper in front of a pastel yellow wall, bright and airy spring light.',
      },
    },
    {
      name: 'candle-snow',
      alt: 'An amber glass candle on fresh snow, trees out of focus behind',
      source: {
        photos: ['candle-1'],
        scene: 'On fresh snow in a winter forest, cold clear light, snowy trees out of focus behind.',
      },
    },
    {
      name: 'bottle-marble',
      alt: 'A sage green pump bottle with a white label on white marble, a bright room behind',
      source: {
        photos: ['pump-bottle-1'],
        scene: 'On polished white marble with fine grey veins, a bright kitchen out of focus behind.',
      },
    },
    {
      name: 'vase-golden-hour',
      alt: 'A blue and white ceramic vase on a sandstone terrace in low golden sunlight, a garden behind',
      source: {
        photos: ['vase-1'],
        scene: 'On a sandstone terrace at golden hour, low warm sunlight, a garden out of focus behind.',
      },
    },
    {
      name: 'cushion-forest',
      alt: 'A striped cushion on a wooden bench, a sunlit forest behind',
      source: {
        photos: ['cushion-1'],
        scene: 'On a weathered wooden bench in an autumn forest, warm low light between the trees behind.',
      },
    },
    {
      name: 'mug-terrazzo',
      alt: 'A speckled stoneware mug on pale terrazzo in front of a sage green wall',
      source: {
        photos: ['mug-1'],
        scene: 'On a pale terrazzo slab in front of a sage green wall, soft even light, a gentle shadow.',
      },
    },
    {
      name: 'perfume-slate',
      alt: 'An amber perfume bottle on dark slate in front of a charcoal wall',
      source: {
        photos: ['perfume-1'],
        scene: 'On dark slate in front of a charcoal wall, moody light from the side.',
      },
    },
  ],
};
