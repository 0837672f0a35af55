/**
 * The scene library: ready scene descriptions beside the four templates. They are plain text in the description that the
 * seller sees and can change.
 */

/** The groups of the library, in the order in which they are shown. */
export const sceneGroups = [
  { id: 'surface', name: 'Surface' },
  { id: 'light', name: 'Light' },
  { id: 'season', name: 'Season' },
  { id: 'style', name: 'Style' },
] as const;
export type SceneGroupId = (typeof sceneGroups)[number]['id'];

/** A scene of the library. */
export interface LibraryScene {
  id: string;
  /** Two or three words. */
  name: string;
  group: SceneGroupId;
  /** The words that go into the scene description. */
  description: string;
}

/** Every scene, by group. `npm run campaign -- samples` makes the thumbnail of each. */
export const sceneLibrary = [
  {
    id: 'oak-table',
    name: 'Oak table',
    group: 'surface',
    description:
      'On a light oak table in soft daylight from a window, a calm bright room out of focus behind.',
  },
  {
    id: 'white-marble',
    name: 'White marble',
    group: 'surface',
    description:
      'On polished white marble with fine grey veins, a bright kitchen out of focus behind, fresh even daylight.',
  },
  {
    id: 'natural-linen',
    name: 'Natural linen',
    group: 'surface',
    description: 'On natural linen cloth in front of a warm beige wall, soft light and a gentle shadow.',
  },
  {
    id: 'dark-slate',
    name: 'Dark slate',
    group: 'surface',
    description:
      'On dark slate in front of a charcoal wall, moody light from the side, a calm and quiet mood.',
  },
  {
    id: 'pale-terrazzo',
    name: 'Pale terrazzo',
    group: 'surface',
    description: 'On a pale terrazzo slab in front of a sage green wall, soft even light, a gentle shadow.',
  },
  {
    id: 'raw-concrete',
    name: 'Raw concrete',
    group: 'surface',
    description:
      'On raw grey concrete in front of a plain light grey wall, cool soft light, simple and modern.',
  },
  {
    id: 'red-velvet',
    name: 'Red velvet',
    group: 'surface',
    description: 'On burgundy velvet in front of a dark wine red wall, warm elegant light, rich and quiet.',
  },
  {
    id: 'morning-window',
    name: 'Morning window',
    group: 'light',
    description:
      'On a birch windowsill in the soft light of an early morning, the window out of focus behind.',
  },
  {
    id: 'golden-hour',
    name: 'Golden hour',
    group: 'light',
    description:
      'On a sandstone terrace at golden hour, low warm sunlight, a garden out of focus in the background.',
  },
  {
    id: 'hard-sun',
    name: 'Hard sun',
    group: 'light',
    description: 'On warm white paper in direct sunlight, one hard shadow to the side, clean and graphic.',
  },
  {
    id: 'large-softbox',
    name: 'Large softbox',
    group: 'light',
    description:
      'On a light grey seamless studio backdrop, a large softbox from the left, even light and a soft shadow.',
  },
  {
    id: 'dappled-shade',
    name: 'Dappled shade',
    group: 'light',
    description:
      'On a weathered wooden table in a garden, dappled sunlight through green leaves, trees out of focus behind.',
  },
  {
    id: 'candlelight',
    name: 'Warm candlelight',
    group: 'light',
    description: 'On a walnut table in candlelight, a cosy evening, small warm lights out of focus behind.',
  },
  {
    id: 'neon-night',
    name: 'Neon night',
    group: 'light',
    description:
      'On a glossy surface in a club at night, pink and blue neon light out of focus in the background.',
  },
  {
    id: 'spring-meadow',
    name: 'Spring meadow',
    group: 'season',
    description: 'On fresh green grass in a spring meadow, bright morning light, trees out of focus behind.',
  },
  {
    id: 'spring-pastel',
    name: 'Spring pastel',
    group: 'season',
    description: 'On pastel pink paper in front of a pastel yellow wall, bright and airy spring light.',
  },
  {
    id: 'summer-beach',
    name: 'Summer beach',
    group: 'season',
    description: 'On fine sand at a beach in summer, calm turquoise sea and a bright sky behind.',
  },
  {
    id: 'summer-terrace',
    name: 'Summer terrace',
    group: 'season',
    description:
      'On terracotta tiles on a terrace in summer, sunny light, a green garden out of focus in the background.',
  },
  {
    id: 'autumn-forest',
    name: 'Autumn forest',
    group: 'season',
    description: 'On a weathered wooden bench in an autumn forest, warm low light between the trees behind.',
  },
  {
    id: 'winter-snow',
    name: 'Winter snow',
    group: 'season',
    description: 'On fresh snow in a winter forest, cold clear light, snowy trees out of focus behind.',
  },
  {
    id: 'festive-lights',
    name: 'Festive lights',
    group: 'season',
    description:
      'On a rustic wooden table at Christmas, a dark green wall behind, warm festive lights out of focus.',
  },
  {
    id: 'bright-minimal',
    name: 'Bright minimal',
    group: 'style',
    description:
      'On a seamless off-white backdrop, minimal and clean, bright soft light and one gentle shadow.',
  },
  {
    id: 'dark-luxury',
    name: 'Dark luxury',
    group: 'style',
    description: 'On black marble in front of a dark wall, luxury mood, one narrow light from the side.',
  },
  {
    id: 'colour-pop',
    name: 'Colour pop',
    group: 'style',
    description: 'On a seamless mustard yellow paper backdrop, vivid and playful, a hard shadow to the side.',
  },
  {
    id: 'industrial-loft',
    name: 'Industrial loft',
    group: 'style',
    description: 'On a concrete ledge in an industrial loft, large windows and daylight out of focus behind.',
  },
  {
    id: 'modern-kitchen',
    name: 'Modern kitchen',
    group: 'style',
    description: 'On an oak countertop in a modern kitchen, warm morning light, shelves out of focus behind.',
  },
  {
    id: 'calm-spa',
    name: 'Calm spa',
    group: 'style',
    description:
      'On travertine stone in a calm spa, pale tiles behind, soft diffused light, clean and fresh.',
  },
  {
    id: 'flat-lay',
    name: 'Flat lay',
    group: 'style',
    description: 'Flat lay on natural linen, seen from directly above, soft daylight and a gentle shadow.',
  },
] as const satisfies readonly LibraryScene[];
export type SceneId = (typeof sceneLibrary)[number]['id'];
