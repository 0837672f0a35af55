import type { SceneTemplate } from '#contract';
import { pictureGroup, type SitePicture } from './picture-group.ts';
import infos from './templates/pictures.json';

const files = import.meta.glob<string>('./templates/*.{avif,webp}', {
  eager: true,
  query: '?url',
  import: 'default',
});
const pictures = pictureGroup(infos, files);

/** A thumbnail of each scene template. */
export const templatePictures: Readonly<Record<SceneTemplate, SitePicture>> = {
  'Product on Wooden Table': pictures['wooden-table'],
  'Minimalist White Background': pictures['white-background'],
  'Outdoor Natural Lighting': pictures.outdoor,
  'Studio Photography Setup': pictures.studio,
};
