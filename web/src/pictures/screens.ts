import { pictureGroup } from './picture-group.ts';
import infos from './screens/pictures.json';

const files = import.meta.glob<string>('./screens/*.{avif,webp}', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** Screens of the product for the landing page. */
export const screenPictures = pictureGroup(infos, files);
