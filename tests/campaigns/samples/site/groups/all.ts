import type { PictureGroup } from '../picture.ts';
import { demo } from './demo.ts';
import { emptyScenes } from './empty-scenes.ts';
import { guides } from './guides.ts';
import { hero } from './hero.ts';
import { landing } from './landing.ts';
import { login } from './login.ts';
import { products } from './products.ts';
import { scenes } from './scenes.ts';
import { templates } from './templates.ts';

/** Every group of pictures of the site. */
export const pictureGroups: readonly PictureGroup[] = [
  hero,
  landing,
  login,
  demo,
  templates,
  scenes,
  emptyScenes,
  products,
  guides,
];
