import infos from './login/pictures.json';
import { pictureGroup, type SitePicture } from './picture-group.ts';

const files = import.meta.glob<string>(['./login/*.avif', './login/*-640.webp'], {
  eager: true,
  query: '?url',
  import: 'default',
});

/** The ten images of the login page's carousel, in order. */
export const loginPictures: readonly SitePicture[] = Object.values(pictureGroup(infos, files));
