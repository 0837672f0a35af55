import { type SceneId, sceneLibrary } from '#contract';
import { image, type PictureGroup } from '../picture.ts';
import type { SamplePhotoName } from '../sample-photos.ts';

/** The product in the thumbnail of each scene. */
const photos: Record<SceneId, SamplePhotoName> = {
  'oak-table': 'notebook-1',
  'white-marble': 'pump-bottle-1',
  'natural-linen': 'soap-1',
  'dark-slate': 'perfume-1',
  'pale-terrazzo': 'mug-1',
  'raw-concrete': 'candle-1',
  'red-velvet': 'vase-1',
  'morning-window': 'mug-2',
  'golden-hour': 'vase-1',
  'hard-sun': 'cushion-1',
  'large-softbox': 'headphones-1',
  'dappled-shade': 'tea-tin-1',
  candlelight: 'candle-1',
  'neon-night': 'headphones-1',
  'spring-meadow': 'vase-1',
  'spring-pastel': 'soap-1',
  'summer-beach': 'pump-bottle-1',
  'summer-terrace': 'coffee-cup',
  'autumn-forest': 'cushion-1',
  'winter-snow': 'candle-1',
  'festive-lights': 'mug-2',
  'bright-minimal': 'pump-bottle-1',
  'dark-luxury': 'perfume-1',
  'colour-pop': 'mug-1',
  'industrial-loft': 'headphones-1',
  'modern-kitchen': 'mug-2',
  'calm-spa': 'soap-1',
  'flat-lay': 'notebook-1',
};

const products: Record<SamplePhotoName, string> = {
  'candle-1': 'An amber glass candle',
  'coffee-cup': 'A red espresso cup',
  'cushion-1': 'A striped cushion',
  'headphones-1': 'White headphones',
  'mug-1': 'A stoneware mug',
  'mug-2': 'A stoneware mug',
  'notebook-1': 'A dark blue notebook',
  'perfume-1': 'An amber perfume bottle',
  'pump-bottle-1': 'A sage green pump bottle',
  'pump-bottle-2': 'A sage green pump bottle',
  'pump-bottle-3': 'A sage green pump bottle',
  'soap-1': 'Three bars of soap',
  'tea-tin-1': 'A tea tin',
  'vase-1': 'A blue and white vase',
};

/** A thumbnail of each scene of the library. */
export const scenes: PictureGroup = {
  folder: 'scenes',
  widths: [160, 320],
  pictures: sceneLibrary.map(({ id, name, description }) =>
    image(id, `${products[photos[id]]} in the scene ${name}`, photos[id], description),
  ),
};
