import { image, type PictureGroup } from '../picture.ts';

/** The ten images of the login page's carousel. */
export const login: PictureGroup = {
  folder: 'login',
  widths: [320, 640],
  pictures: [
    image(
      'mug-windowsill',
      'A speckled stoneware mug of coffee on a wooden windowsill in the morning',
      'mug-2',
      'On a birch windowsill in the soft light of an early morning, the window out of focus behind.',
    ),
    image(
      'vase-navy',
      'A blue and white ceramic vase on light wood in front of a navy wall',
      'vase-1',
      'On a light oak sideboard in front of a navy blue wall, soft light from the left.',
    ),
    image(
      'notebook-mustard',
      'A dark blue notebook with an orange elastic band on mustard yellow paper',
      'notebook-1',
      'On a seamless mustard yellow paper backdrop, vivid and playful, soft shadow.',
    ),
    image(
      'bottle-beach',
      'A sage green pump bottle on fine sand, the sea and a bright sky behind',
      'pump-bottle-1',
      'On fine sand at a beach in summer, calm turquoise sea and a bright sky behind.',
    ),
    image(
      'perfume-velvet',
      'An amber perfume bottle on burgundy velvet in front of a dark wall',
      'perfume-1',
      'On burgundy velvet in front of a dark wine red wall, warm elegant light, rich and quiet.',
    ),
    image(
      'headphones-black',
      'White headphones on a glossy black surface with their reflection',
      'headphones-1',
      'On a sheet of glossy black acrylic in front of a dark grey wall, clean reflection.',
    ),
    image(
      'tea-tin-garden',
      'A patterned tea tin on a stone ledge in dappled sunlight, green trees behind',
      'tea-tin-1',
      'On a stone ledge in a garden, dappled sunlight through green leaves, trees out of focus behind.',
    ),
    image(
      'cushion-hard-sun',
      'A striped cushion on warm white paper with one hard shadow',
      'cushion-1',
      'On warm white paper in direct sunlight, one hard shadow to the side, clean and graphic.',
    ),
    image(
      'soap-spa',
      'Three stacked bars of soap on travertine in front of pale tiles',
      'soap-1',
      'On travertine stone in a calm spa, pale tiles behind, soft diffused light, clean and fresh.',
    ),
    image(
      'espresso-bar',
      'A red espresso cup on a dark wooden bar at night',
      'coffee-cup',
      'On a mahogany bar at night, warm lights out of focus behind.',
    ),
  ],
};
