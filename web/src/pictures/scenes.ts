import type { SceneId } from '#contract';
import { pictureGroup, type SitePicture } from './picture-group.ts';
import infos from './scenes/pictures.json';

const files = import.meta.glob<string>(['./scenes/*.avif', './scenes/*-320.webp'], {
  eager: true,
  query: '?url',
  import: 'default',
});

/** A thumbnail of each scene of the library. */
export const scenePictures: Readonly<Record<SceneId, SitePicture>> = pictureGroup(infos, files);
