import infos from './landing/pictures.json';
import { pictureGroup, type SitePicture } from './picture-group.ts';

const files = import.meta.glob<string>(['./landing/*.avif', './landing/*-640.webp'], {
  eager: true,
  query: '?url',
  import: 'default',
});

/** The eight images of the landing page's carousel, in order. */
export const landingPictures: readonly SitePicture[] = Object.values(pictureGroup(infos, files));
