import { sampleScene, templates as sceneTemplates, templateSamples } from '#contract';
import { image, type PictureGroup } from '../picture.ts';
import type { SamplePhotoName } from '../sample-photos.ts';

/** The templates: part of the file names, a typical description, and what one then sees around the product. */
export const templateScenes = sceneTemplates.map(({ id }) => ({
  id,
  scene: sampleScene(id),
  shows: templateSamples[id].shows,
}));

/** Products of the thumbnails, in turns. */
const products: readonly { photo: SamplePhotoName; product: string }[] = [
  { photo: 'mug-2', product: 'A mug' },
  { photo: 'headphones-1', product: 'Headphones' },
  { photo: 'vase-1', product: 'A vase' },
  { photo: 'pump-bottle-1', product: 'A pump bottle' },
];

/** A thumbnail of each template. */
export const templates: PictureGroup = {
  folder: 'templates',
  widths: [160, 320],
  pictures: templateScenes.map(({ id, scene, shows }, index) => {
    const { photo, product } = products[index % products.length]!;
    return image(id, `${product} ${shows}`, photo, scene);
  }),
};
