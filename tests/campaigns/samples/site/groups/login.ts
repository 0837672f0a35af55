import type { PictureGroup } from '../picture.ts';

/** The ten images of the login page's carousel. */
export const login: PictureGroup = {
  folder: 'login',
  widths: [320, 640],
  pictures: [
    {
      name: 'mug-windowsill',
      alt: 'A speckled stoneware mug of coffee on a wooden windowsill in the morning',
      source: {
        photos: ['mug-2'],
        scene: 'On a birch windowsill in the soft light of an early morning, the window out of focus behind.',
      },
    },
    {
      name: 'vase-navy',
      alt: 'A blue and white ceramic vase on light wood in front of a navy wall',
      source: {
        photos: ['vase-1'],
        scene: 'On a light oak sideboard in front of a navy blue wall, soft light from the left.',
      },
    },
    {
      name: 'notebook-mustard',
      alt: 'A dark blue notebook with an orange elastic band on mustard yellow paper',
      source: {
        photos: ['notebook-1'],
        scene: 'On a seamless mustard yellow paper backdrop, vivid and playful, soft shadow.',
      },
    },
    {
      name: 'bottle-beach',
      alt: 'A sage green pump bottle on fine sand, the sea and a bright sky behind',
      source: {
        photos: ['pump-bottle-1'],
        scene: 'On fine sand at a beach in summer, calm turquoise sea and a bright sky behind.',
      },
    },
    {
      name: 'perfume-velvet',
      alt: 'An amber perfume bottle on burgundy velvet in front of a dark wall',
      source: {
        photos: ['perfume-1'],
        scene: 'On burgundy velvet in front of a dark wine red wall, warm elegant light, rich and quiet.',
      },
    },
    {
      name: 'headphones-black',
      alt: 'White headphones on a glossy black surface with their reflection',
      source: {
        photos: ['headphones-1'],
        scene: 'On a sheet of glossy black acrylic in front of a dark grey wall, clean reflection.',
      },
    },
    {
      name: 'tea-tin-garden',
      alt: 'A patterned tea tin on a stone ledge in dappled sunlight, green trees behind',
      source: {
        photos: ['tea-tin-1'],
        scene:
          'On a stone ledge in a garden, dappled sunlight through green leaves, trees out of focus behind.',
      },
    },
    {
      name: 'cushion-hard-sun',
      alt: 'A striped cushion on warm white paper with one hard shadow',
      source: {
        photos: ['cushion-1'],
        scene: 'On warm white paper in direct sunlight, one hard shadow to the side, clean and graphic.',
      },
    },
    {
      name: 'soap-spa',
      alt: 'Three stacked bars of soap on travertine in front of pale tiles',
      source: {
        photos: ['soap-1'],
        scene: 'On travertine stone in a calm spa, pale tiles behind, soft diffused light, clean and fresh.',
      },
    },
    {
      name: 'espresso-bar',
      alt: 'A red espresso cup on a dark wooden bar at night',
      source: {
        photos: ['coffee-cup'],
        scene: 'On a mahogany bar at night, warm lights out of focus behind.',
      },
    },
  ],
};
