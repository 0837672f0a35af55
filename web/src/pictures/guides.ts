import infos from './guides/pictures.json';
import { pictureGroup } from './picture-group.ts';

const files = import.meta.glob<string>('./guides/*.{avif,webp}', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** Pictures for guides and blog posts, by name. */
export const guidePictures = pictureGroup(infos, files);
export type GuidePictureName = keyof typeof guidePictures;
