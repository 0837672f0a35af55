import type { PictureGroup } from '../picture.ts';
import { demoPhotos } from './demo.ts';

/** Thumbnails of the sample products that the empty studio offers. Their photos are copied beside them. */
export const products: PictureGroup = {
  folder: 'products',
  widths: [160, 320],
  pictures: demoPhotos.map(({ id, photo, photoAlt }) => ({ name: id, alt: photoAlt, source: { photo } })),
};
