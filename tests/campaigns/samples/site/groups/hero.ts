import { image, type Picture, type PictureGroup } from '../picture.ts';
import type { SamplePhotoName } from '../sample-photos.ts';

/**
 * A photo and the image made from it.
 * @param crop left, top and side of the part of the photo that is shown: the product has the same place and size in both, as
 *   the before/after slider needs it
 */
function pair(
  name: string,
  photo: SamplePhotoName,
  [left, top, side]: readonly [number, number, number],
  alts: readonly [photo: string, image: string],
  scene: string,
): Picture[] {
  const crop = { left, top, width: side, height: side };
  return [
    { name: `${name}-photo`, alt: `The photo: ${alts[0]}`, source: { photo, crop }, widths: [400, 640] },
    image(`${name}-image`, `The image: ${alts[1]}`, photo, scene),
  ];
}

/** The pairs of the landing page's before/after slider. */
export const hero: PictureGroup = {
  folder: 'hero',
  widths: [400, 640, 960],
  pictures: [
    ...pair(
      'vase',
      'vase-1',
      [-15, 143, 908],
      [
        'a blue and white ceramic vase on a sideboard, in front of a picture and beside books',
        'the same vase on white marble in front of a terracotta wall, with one hard shadow',
      ],
      'On white marble in front of a terracotta wall, direct sunlight and a hard shadow.',
    ),
    ...pair(
      'candle',
      'candle-1',
      [188, 67, 772],
      [
        'an amber glass candle on a desk beside books',
        'the same candle on dark green velvet, warm lights out of focus behind',
      ],
      'On dark green velvet in front of a dark green wall, warm festive lights out of focus behind.',
    ),
    ...pair(
      'mug',
      'mug-1',
      [244, 56, 743],
      ['a speckled mug on a dark wooden table', 'the same mug on white marble in front of a pale blue wall'],
      'On white marble in front of a pale blue wall, fresh morning light from the left.',
    ),
  ],
};
