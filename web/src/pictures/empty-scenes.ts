import type { SceneId } from '#contract';
import { type SceneTemplate, type TemplateId, templates } from '#contract/templates.ts';
import infos from './empty-scenes/pictures.json';
import { pictureGroup, type SitePicture } from './picture-group.ts';

const files = import.meta.glob<string>(['./empty-scenes/*.avif', './empty-scenes/*-640.webp'], {
  eager: true,
  query: '?url',
  import: 'default',
});
const pictures: Readonly<Record<SceneId | TemplateId, SitePicture>> = pictureGroup(infos, files);

/** Each scene of the library without a product. */
export const emptyScenePictures: Readonly<Record<SceneId, SitePicture>> = pictures;

/** Each scene template without a product. */
export const emptyTemplatePictures = Object.fromEntries(
  templates.map(({ id, name }) => [name, pictures[id]]),
) as Readonly<Record<SceneTemplate, SitePicture>>;
