import { sceneLibrary } from '#contract';
import type { PictureGroup } from '../picture.ts';
import { templateScenes } from './templates.ts';

/** Each scene and template without a product: the studio lays the seller's own over it. */
export const emptyScenes: PictureGroup = {
  folder: 'empty-scenes',
  widths: [320, 640],
  pictures: [
    ...sceneLibrary.map(({ id, name, description }) => ({
      id,
      alt: `The scene ${name}`,
      scene: description,
    })),
    ...templateScenes.map(({ id, shows, scene }) => ({ id, alt: `A place ${shows}`, scene })),
  ].map(({ id, alt, scene }) => ({ name: id, alt, source: { photos: [], scene } })),
};
