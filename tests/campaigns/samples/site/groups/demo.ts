import { image, type Picture, type PictureGroup } from '../picture.ts';
import type { SamplePhotoName } from '../sample-photos.ts';
import { templateScenes } from './templates.ts';

/** The sample products of the demo and of the empty studio. */
export const demoPhotos: readonly {
  id: string;
  photo: SamplePhotoName;
  product: string;
  photoAlt: string;
}[] = [
  {
    id: 'mug',
    photo: 'mug-1',
    product: 'A speckled stoneware mug',
    photoAlt: 'Photo of a speckled stoneware mug on a brown table',
  },
  {
    id: 'bottle',
    photo: 'pump-bottle-1',
    product: 'A sage green pump bottle',
    photoAlt: 'Photo of a sage green pump bottle on a brown table in a bathroom',
  },
  {
    id: 'vase',
    photo: 'vase-1',
    product: 'A blue and white ceramic vase',
    photoAlt: 'Photo of a blue and white ceramic vase in front of a picture on a wall',
  },
];

/** The demo without sign-up: each product's photo, and its image in each template. */
export const demo: PictureGroup = {
  folder: 'demo',
  widths: [480, 800],
  pictures: demoPhotos.flatMap(({ id, photo, product, photoAlt }): Picture[] => [
    { name: `${id}-photo`, alt: photoAlt, source: { photo } },
    ...templateScenes.map(({ id: template, scene, shows }) =>
      image(`${id}-${template}`, `${product} ${shows}`, photo, scene),
    ),
  ]),
};
