/** The words for colours and surfaces that are recognised in descriptions. */
import type { MaterialName } from '../surfaces.ts';

/** Each word of the rows with what its row says. */
export function byWord<Meaning>(
  rows: readonly (readonly [words: string, meaning: Meaning])[],
): ReadonlyMap<string, Meaning> {
  return new Map(
    rows.flatMap(([words, meaning]) => words.split(' ').map((word) => [word, meaning] as const)),
  );
}

/** Colour names and their sRGB values. */
export const colourWords: ReadonlyMap<string, string> = byWord([
  ['white', '#f4f3f1'],
  ['ivory cream', '#f0e6d0'],
  ['beige', '#dccbb0'],
  ['sand', '#d8c3a0'],
  ['brown', '#7c5438'],
  ['coffee chocolate', '#5a3d2c'],
  ['terracotta rust', '#c06d4d'],
  ['gold golden', '#cca54a'],
  ['mustard', '#cf9f32'],
  ['yellow', '#edc94c'],
  ['orange', '#e1833c'],
  ['peach', '#f2b995'],
  ['coral', '#e77e69'],
  ['red', '#bd362f'],
  ['burgundy', '#6c2134'],
  ['wine', '#672236'],
  ['rose', '#d98f98'],
  ['pink', '#e8a6b5'],
  ['magenta', '#bb3d85'],
  ['purple', '#74509b'],
  ['violet', '#7f60b6'],
  ['lavender lilac', '#bcaedb'],
  ['navy', '#22304f'],
  ['blue', '#4674ae'],
  ['turquoise', '#49b3b0'],
  ['teal', '#237a7c'],
  ['mint', '#b4dcc4'],
  ['sage', '#a4b299'],
  ['olive', '#77784a'],
  ['green', '#578a54'],
  ['emerald', '#1f7d5a'],
  ['charcoal', '#3b3d40'],
  ['grey gray', '#9a9b9c'],
  ['silver', '#c0c3c6'],
  ['black', '#1d1d1f'],
]);

/** Words before or beside a colour that modify it. */
export const colourModifiers = byWord([
  ['light pale', 'light'],
  ['dark deep', 'dark'],
  ['pastel muted dusty', 'pastel'],
  ['bright vivid saturated', 'vivid'],
] as const);

/** A surface in its usual colour. */
export interface SurfaceLook {
  material: MaterialName;
  colour: string;
}

const look = (material: MaterialName, colour: string): SurfaceLook => ({ material, colour });

/** Words for materials, with the default colour of each. */
const materials: ReadonlyMap<string, SurfaceLook> = byWord([
  ['oak', look('wood', '#bb8f5e')],
  ['walnut', look('wood', '#6d4c34')],
  ['cherry', look('wood', '#9a5a38')],
  ['mahogany', look('wood', '#74392a')],
  ['birch', look('wood', '#dcc298')],
  ['ash', look('wood', '#cdb591')],
  ['driftwood', look('wood', '#a89d8e')],
  ['marble', look('marble', '#e2dfdc')],
  ['terrazzo', look('terrazzo', '#e4dfd6')],
  ['concrete cement', look('concrete', '#a5a4a1')],
  ['rock', look('slate', '#87807a')],
  ['ledge', look('slate', '#c9bda6')],
  ['slate', look('slate', '#50555a')],
  ['travertine', look('slate', '#d4c2a5')],
  ['sandstone', look('slate', '#cdae84')],
  ['ceramic', look('tiles', '#e8ebe9')],
  ['linen cotton', look('linen', '#dbcfbb')],
  ['tablecloth', look('linen', '#e6dfd2')],
  ['velvet', look('velvet', '#5b2334')],
  ['cardboard kraft', look('paper', '#b58d63')],
  ['sand', look('sand', '#d9bf94')],
  ['snow snowy', look('snow', '#eaf0f7')],
  ['grass lawn', look('grass', '#5d8a35')],
  ['meadow', look('grass', '#6f9440')],
  ['moss', look('grass', '#5b6f2d')],
  ['water', look('water', '#3f7f92')],
  ['lake', look('water', '#3c6676')],
  ['metal steel', look('metal', '#a9adb0')],
  ['brass', look('metal', '#b5944f')],
  ['mirrored', look('glass', '#b6bcc0')],
  ['acrylic', look('glass', '#d5d9dc')],
]);

/** Words for objects made of a material. They only count when no word names the material itself: "marble table" is marble. */
const things: ReadonlyMap<string, SurfaceLook> = byWord([
  ['wooden wood table plank planks', look('wood', '#b4814d')],
  ['desk shelves shelf', look('wood', '#b48a5a')],
  ['rustic sideboard', look('wood', '#8a6140')],
  ['stone', look('slate', '#b3a997')],
  ['pavement', look('concrete', '#8f8e8b')],
  ['tile tiles', look('tiles', '#e8ebe9')],
  ['cloth', look('linen', '#dbcfbb')],
  ['fabric', look('linen', '#cfc4b4')],
  ['paper', look('paper', '#efebe4')],
  ['beach', look('sand', '#dfc79f')],
  ['desert', look('sand', '#d3a069')],
  ['mirror', look('glass', '#b6bcc0')],
  ['glass', look('glass', '#bccbd0')],
  ['glossy', look('glass', '#d5d6d8')],
]);

/** Every word for a surface. */
export const surfaceWords: ReadonlyMap<string, SurfaceLook> = new Map([...materials, ...things]);

/** The first word that names a material, or else the first that names a thing made of one. */
export function surfaceWordOf(words: readonly string[]): string | undefined {
  return words.find((word) => materials.has(word)) ?? words.find((word) => things.has(word));
}
