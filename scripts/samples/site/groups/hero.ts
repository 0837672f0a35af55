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
      'tea-tin',
      {
        name: '',
        alt: 'The photo: a tea tin on a red checked tablecloth, in front of jugs, fruit and a flowered curtain',
        source: { photo: 'tea-tin-1', crop: { left: 192, top: 51, width: 771, height: 771 } },
      },
      {
        name: '',
        alt: 'The image: the same tea tin on an oak table in warm morning light, a kitchen out of focus behind',
        source: {
          photos: ['tea-tin-1'],
          scene: 'On an oak countertop in a modern kitchen, warm morning light, shelves out of focus behind.',
        },
      },
    ),
    ...pair(
      'mug',
      {
        name: '',
        alt: 'The photo: a speckled mug on a brown table in dim light',
        source: { photo: 'mug-1', crop: { left: 244, top: 56, width: 743, height: 743 } },
      },
      {
        name: '',
        alt: 'The image: the same mug on pale terrazzo in front of a sage green wall',
        source: {
          photos: ['mug-1'],
          scene: 'On a pale terrazzo slab in front of a sage green wall, soft even light, a gentle shadow.',
        },
      },
    ),
    ...pair(
      'candle',
      {
        name: '',
        alt: 'The photo: an amber glass candle on a desk between books and pencils',
        source: { photo: 'candle-1', crop: { left: 188, top: 67, width: 772, height: 772 } },
      },
      {
        name: '',
        alt: 'The image: the same candle on a walnut table, small warm lights out of focus behind',
        source: {
          photos: ['candle-1'],
          scene: 'On a walnut table in candlelight, a cosy evening, small warm lights out of focus behind.',
        },
      },
    ),
  ],
};
