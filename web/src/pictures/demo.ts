import { type SceneTemplate, templates } from '#contract/templates.ts';
import infos from './demo/pictures.json';
import { pictureGroup, type SitePicture } from './picture-group.ts';

const files = import.meta.glob<string>(['./demo/*.avif', './demo/*-800.webp'], {
  eager: true,
  query: '?url',
  import: 'default',
});
const pictures = pictureGroup(infos, files);

/** A sample product of the demo: its photo, and the image in each template. All were made beforehand. */
interface DemoProduct {
  id: 'mug' | 'bottle' | 'vase';
  name: string;
  photo: SitePicture;
  images: Readonly<Record<SceneTemplate, SitePicture>>;
}

const product = (id: DemoProduct['id'], name: string): DemoProduct => ({
  id,
  name,
  photo: pictures[`${id}-photo`],
  images: Object.fromEntries(
    templates.map(({ id: template, name: title }) => [title, pictures[`${id}-${template}`]]),
  ) as DemoProduct['images'],
});

/** The three products of the demo without sign-up. */
export const demoProducts: readonly DemoProduct[] = [
  product('mug', 'Stoneware mug'),
  product('bottle', 'Hand wash'),
  product('vase', 'Ceramic vase'),
];
