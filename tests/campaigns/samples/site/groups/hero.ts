import type { Picture, PictureGroup } from '../picture.ts';

/**
 * A photo and the image made from it. The photo's crop is chosen so that the product has the same place and size in both,
 * as the before/after slider needs it.
 */
function pair(name: string, photo: Picture, image: Picture): Picture[] {
  return [
    { ...photo, name: `${name}-photo`, widths: [400, 640] },
    { ...image, name: `${name}-image` },
  ];
}

/** The pairs of the landing page's before/after slider. */
export const hero: PictureGroup = {
  folder: 'hero',
  widths: [400, 640, 960],
  pictures: [
    ...pair(
      'vase',
      {
        name: '',
        alt: 'The photo: a blue and white ceramic vase on a sideboard, in front of a picture and beside books',
        source: { photo: 'vase-1', crop: { left: -15, top: 143, width: 908, height: 908 } },
      },
      {
        name: '',
        alt: 'The image: the same vase on white marble in front of a terracotta wall, with one hard shadow',
        source: {
          photos: ['vase-1'],
          scene: 'On white marble in front of a terracotta wall, direct sunlight and a hard shadow.',
        },
      },
    ),
    ...pair(
      'candle',
      {
        name: '',
        alt: 'The photo: an amber glass candle on a desk beside books',
        source: { photo: 'candle-1', crop: { left: 188, top: 67, width: 772, height: 772 } },
      },
      {
        name: '',
        alt: 'The image: the same candle on dark green velvet, warm lights out of focus behind',
        source: {
          photos: ['candle-1'],
          scene:
            'On dark green velvet in front of a dark green wall, warm festive lights out of focus behind.',
        },
      },
    ),
    ...pair(
      'mug',
      {
        name: '',
        alt: 'The photo: a speckled mug on a dark wooden table',
        source: { photo: 'mug-1', crop: { left: 244, top: 56, width: 743, height: 743 } },
      },
      {
        name: '',
        alt: 'The image: the same mug on white marble in front of a pale blue wall',
        source: {
          photos: ['mug-1'],
          scene: 'On white marble in front of a pale blue wall, fresh morning light from the left.',
        },
      },
    ),
  ],
};
