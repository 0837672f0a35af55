import { pictureGroup, type SitePicture } from './picture-group.ts';
import bottleFile from './products/bottle.jpg?url';
import mugFile from './products/mug.jpg?url';
import infos from './products/pictures.json';
import vaseFile from './products/vase.jpg?url';

const files = import.meta.glob<string>(['./products/*.avif', './products/*-320.webp'], {
  eager: true,
  query: '?url',
  import: 'default',
});
const thumbnails = pictureGroup(infos, files);

/** A product that a seller can try the studio with. */
export interface SampleProduct {
  id: 'mug' | 'bottle' | 'vase';
  name: string;
  /** Address and name of the photo, a JPEG of at most 200 kB. */
  file: string;
  fileName: string;
  thumbnail: SitePicture;
  /** A scene description that suits it. */
  scene: string;
}

/** The three sample products of the empty studio. */
export const sampleProducts: readonly SampleProduct[] = [
  {
    id: 'mug',
    name: 'Stoneware mug',
    file: mugFile,
    fileName: 'stoneware-mug.jpg',
    thumbnail: thumbnails.mug,
    scene: 'On a light oak table in soft morning light, a calm bright kitchen out of focus behind.',
  },
  {
    id: 'bottle',
    name: 'Hand wash',
    file: bottleFile,
    fileName: 'hand-wash.jpg',
    thumbnail: thumbnails.bottle,
    scene: 'On white marble in front of pale bathroom tiles, fresh even light and a gentle shadow.',
  },
  {
    id: 'vase',
    name: 'Ceramic vase',
    file: vaseFile,
    fileName: 'ceramic-vase.jpg',
    thumbnail: thumbnails.vase,
    scene: 'On warm white paper in direct sunlight, one hard shadow to the side, clean and graphic.',
  },
];
