import infos from './guides/pictures.json';
import { pictureGroup } from './picture-group.ts';
import screenshotInfos from './screenshots/pictures.json';

const files = import.meta.glob<string>('./guides/*.{avif,webp}', {
  eager: true,
  query: '?url',
  import: 'default',
});
const screenshotFiles = import.meta.glob<string>('./screenshots/*.{avif,webp}', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** Pictures for guides and blog posts, by name. The names of screenshots begin with `screen-`. */
export const guidePictures = {
  ...pictureGroup(infos, files),
  ...pictureGroup(screenshotInfos, screenshotFiles),
};
export type GuidePictureName = keyof typeof guidePictures;
