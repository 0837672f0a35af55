import { image, type PictureGroup } from '../picture.ts';

/** The eight images of the landing page's carousel. */
export const landing: PictureGroup = {
  folder: 'landing',
  widths: [320, 640, 960],
  pictures: [
    image(
      'headphones-neon',
      'White headphones on a glossy surface in pink and blue neon light',
      'headphones-1',
      'On a glossy surface in a club at night, pink and blue neon light out of focus behind.',
    ),
    image(
      'soap-pastel',
      'Three stacked bars of soap on pastel pink paper in front of a pale yellow wall',
      'soap-1',
      'On pastel pink paper in front of a pastel yellow wall, bright and airy spring light.',
    ),
    image(
      'candle-snow',
      'An amber glass candle on fresh snow, trees out of focus behind',
      'candle-1',
      'On fresh snow in a winter forest, cold clear light, snowy trees out of focus behind.',
    ),
    image(
      'bottle-marble',
      'A sage green pump bottle with a white label on white marble, a bright room behind',
      'pump-bottle-1',
      'On polished white marble with fine grey veins, a bright kitchen out of focus behind.',
    ),
    image(
      'vase-golden-hour',
      'A blue and white ceramic vase on a sandstone terrace in low golden sunlight, a garden behind',
      'vase-1',
      'On a sandstone terrace at golden hour, low warm sunlight, a garden out of focus behind.',
    ),
    image(
      'cushion-boards',
      'A striped cushion on wooden boards in warm light, seen from above',
      'cushion-1',
      'On weathered wooden boards, warm low light in the evening.',
    ),
    image(
      'mug-terrazzo',
      'A speckled stoneware mug on pale terrazzo in front of a sage green wall',
      'mug-1',
      'On a pale terrazzo slab in front of a sage green wall, soft even light, a gentle shadow.',
    ),
    image(
      'perfume-slate',
      'An amber perfume bottle on dark slate in front of a charcoal wall',
      'perfume-1',
      'On dark slate in front of a charcoal wall, moody light from the side.',
    ),
  ],
};
