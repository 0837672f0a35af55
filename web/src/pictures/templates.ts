import { type SceneTemplate, templates } from '#contract/templates.ts';
import { pictureGroup, type SitePicture } from './picture-group.ts';
import infos from './templates/pictures.json';

const files = import.meta.glob<string>(['./templates/*.avif', './templates/*-320.webp'], {
  eager: true,
  query: '?url',
  import: 'default',
});
const pictures = pictureGroup(infos, files);

/** A thumbnail of each scene template. */
export const templatePictures = Object.fromEntries(
  templates.map(({ id, name }) => [name, pictures[id]]),
) as Readonly<Record<SceneTemplate, SitePicture>>;
