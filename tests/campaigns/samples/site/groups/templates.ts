import { type SceneTemplate, withTemplate } from '#contract';
import { image, type PictureGroup } from '../picture.ts';
import type { SamplePhotoName } from '../sample-photos.ts';

/** The four templates: part of the file names, a typical description, and what one then sees behind the product. */
export const templateScenes: readonly { id: string; scene: string; shows: string }[] = [
  scene(
    'wooden-table',
    'Product on Wooden Table',
    'a walnut table by a window, soft morning light, a calm warm room behind',
    'on a walnut table, a bright room out of focus behind',
  ),
  scene(
    'white-background',
    'Minimalist White Background',
    'pure white, soft even light and a gentle shadow',
    'on a pure white background',
  ),
  scene(
    'outdoor',
    'Outdoor Natural Lighting',
    'on a stone ledge in a garden, dappled sunlight, green leaves behind',
    'on a stone ledge in a garden',
  ),
  scene(
    'studio',
    'Studio Photography Setup',
    'a grey seamless backdrop with a large softbox from the left',
    'in front of a grey studio backdrop',
  ),
];

function scene(id: string, template: SceneTemplate, description: string, shows: string) {
  return { id, scene: withTemplate(template, description), shows };
}

const thumbnailPhotos: Record<string, { photo: SamplePhotoName; product: string }> = {
  'wooden-table': { photo: 'mug-2', product: 'A mug' },
  'white-background': { photo: 'headphones-1', product: 'Headphones' },
  outdoor: { photo: 'vase-1', product: 'A vase' },
  studio: { photo: 'pump-bottle-1', product: 'A pump bottle' },
};

/** A thumbnail of each template. */
export const templates: PictureGroup = {
  folder: 'templates',
  widths: [160, 320],
  pictures: templateScenes.map(({ id, scene, shows }) => {
    const { photo, product } = thumbnailPhotos[id]!;
    return image(id, `${product} ${shows}`, photo, scene);
  }),
};
