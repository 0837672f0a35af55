import { image, type Picture, type PictureGroup } from '../picture.ts';

const photo = (name: string, alt: string, source: Picture['source']): Picture => ({ name, alt, source });

/** Photos that work and photos that do not. */
const photos: Picture[] = [
  photo('photo-good', 'A sharp, evenly lit photo of a mug that shows all of it', { photo: 'mug-1' }),
  photo('photo-dark', 'The same photo much too dark: the mug is hard to see', {
    photo: 'mug-1',
    brightness: 0.38,
  }),
  photo('photo-blurred', 'The same photo out of focus: the edges of the mug are soft', {
    photo: 'mug-1',
    blur: 11,
  }),
  {
    name: 'photo-cut-off',
    alt: 'The same photo with the left half of the mug outside of the picture',
    source: { photo: 'mug-1', crop: { left: 560, top: 100, width: 640, height: 480 } },
    widths: [400, 640],
  },
  photo('photo-too-small', 'The same photo in so few pixels that its details are lost', {
    photo: 'mug-1',
    detail: 72,
  }),
  photo('photo-busy', 'A vase on a sideboard with books, a bowl and a picture around it', {
    photo: 'vase-1',
  }),
  image(
    'photo-busy-result',
    'The same vase on pure white, with nothing else',
    'vase-1',
    'Pure white background, soft even light and a gentle shadow.',
  ),
];

/** Several photos: one product from several angles, and several products in one picture. */
const several: Picture[] = [
  photo('angle-front', 'The front of a pump bottle with its label', { photo: 'pump-bottle-1' }),
  photo('angle-side', 'The same pump bottle turned to the side', { photo: 'pump-bottle-2' }),
  photo('angle-back', 'The back of the same pump bottle with its ingredients', { photo: 'pump-bottle-3' }),
  image(
    'angle-result',
    'One image of the pump bottle on white marble',
    ['pump-bottle-1', 'pump-bottle-2', 'pump-bottle-3'],
    'On polished white marble with fine grey veins, a bright kitchen out of focus behind.',
  ),
  photo('set-soap', 'A photo of three bars of soap', { photo: 'soap-1' }),
  photo('set-candle', 'A photo of a candle', { photo: 'candle-1' }),
  image(
    'set-result',
    'A pump bottle, three bars of soap and a candle side by side on travertine',
    ['pump-bottle-1', 'soap-1', 'candle-1'],
    'All products side by side on travertine stone in a calm spa, pale tiles behind, soft diffused light.',
  ),
];

/** One product in four scenes, in four lights, and from three distances. */
const scenes: Picture[] = [
  image(
    'scene-oak',
    'A mug on light oak in a bright room',
    'mug-1',
    'On a light oak table in soft daylight from a window, a calm bright room out of focus behind.',
  ),
  image(
    'scene-linen',
    'The same mug on natural linen',
    'mug-1',
    'On natural linen cloth in front of a warm beige wall, soft light and a gentle shadow.',
  ),
  image(
    'scene-beach',
    'The same mug on sand at a beach',
    'mug-1',
    'On fine sand at a beach in summer, calm turquoise sea and a bright sky behind.',
  ),
  image(
    'scene-festive',
    'The same mug on a wooden table with festive lights behind',
    'mug-1',
    'On a rustic wooden table at Christmas, a dark green wall behind, warm festive lights out of focus.',
  ),
  image(
    'light-soft',
    'A vase on light stone in soft, even light',
    'vase-1',
    'On pale concrete in front of a warm white wall, soft diffused light.',
  ),
  image(
    'light-hard',
    'The same vase with one hard shadow',
    'vase-1',
    'On pale concrete in front of a warm white wall, direct sunlight and a hard shadow.',
  ),
  image(
    'light-golden',
    'The same vase in low golden light',
    'vase-1',
    'On pale concrete in front of a warm white wall, low golden hour sunlight.',
  ),
  image(
    'light-moody',
    'The same vase in front of a dark wall, lit from one side',
    'vase-1',
    'On pale concrete in front of a warm white wall, dramatic moody light from one side.',
  ),
  image('view-normal', 'A notebook on light oak', 'notebook-1', 'On light oak, soft daylight.'),
  image(
    'view-flat-lay',
    'The same notebook on light oak, seen from above',
    'notebook-1',
    'Flat lay on light oak, top view from directly above, soft daylight.',
  ),
  image(
    'view-close-up',
    'The same notebook as a close-up',
    'notebook-1',
    'On light oak, soft daylight, close-up that fills the frame.',
  ),
];

/** Single images for blog posts. */
const posts: Picture[] = [
  image(
    'post-white-background',
    'A pump bottle on a pure white background',
    'pump-bottle-1',
    'Pure white background, soft even light and a gentle shadow.',
  ),
  image(
    'post-season',
    'A candle on fresh snow in a winter forest',
    'candle-1',
    'On fresh snow in a winter forest, cold clear light, snowy trees out of focus behind.',
  ),
  image(
    'post-colour',
    'A dark blue notebook on mustard yellow paper',
    'notebook-1',
    'On a seamless mustard yellow paper backdrop, vivid and playful, soft shadow.',
  ),
  image(
    'post-consistent',
    'A cushion on light wood in front of a plain wall',
    'cushion-1',
    'On a light oak floor in front of a pale sage green wall, soft daylight.',
  ),
];

/** Pictures for guides and blog posts. */
export const guides: PictureGroup = {
  folder: 'guides',
  widths: [400, 800],
  pictures: [...photos, ...several, ...scenes, ...posts],
};
