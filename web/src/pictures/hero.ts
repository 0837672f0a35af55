import infos from './hero/pictures.json';
import { pictureGroup, type SitePicture } from './picture-group.ts';

const files = import.meta.glob<string>(['./hero/*.avif', './hero/*-640.webp'], {
  eager: true,
  query: '?url',
  import: 'default',
});
const pictures = pictureGroup(infos, files);

/** A photo, and the image that Packshot made from it. Both are square, with the product at the same place. */
export interface PicturePair {
  photo: SitePicture;
  image: SitePicture;
}

/** The pairs of the landing page's before/after slider; the first is the page's largest picture. */
export const heroPairs: readonly PicturePair[] = [
  { photo: pictures['vase-photo'], image: pictures['vase-image'] },
  { photo: pictures['candle-photo'], image: pictures['candle-image'] },
  { photo: pictures['mug-photo'], image: pictures['mug-image'] },
];
