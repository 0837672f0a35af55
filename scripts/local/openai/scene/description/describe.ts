/** Interprets a description as a scene. */

import { blend, type Colour, fromHex, luminance } from '../colour.ts';
import type { View } from '../environment/panorama.ts';
import type { MaterialName } from '../surfaces.ts';
import { isChange, plainText, readScene, withEarlier } from './changes.ts';
import { type Framing, readFraming, readStyle, type Style } from './framing.ts';
import { type Mood, type MoodLight, moodOf } from './mood.ts';
import { type BackdropKind, type Place, placeOf, placeWords, type ViewName, views } from './places.ts';
import { coloursOf, isNear, isWhiteBackground, materialOf, type NamedMaterial } from './words.ts';

/** Everything the renderer needs to know about the scene; the same words give the same result. */
export interface SceneDescription {
  surface: { material: MaterialName; colour: Colour; isTable: boolean };
  /** `view` lights the scene, and is visible where the backdrop shows a place. */
  backdrop: { kind: BackdropKind; colour: Colour; view: View };
  light: MoodLight & {
    /** Sunlight through leaves. */
    dappled: boolean;
  };
  /** Blurred points of light in the background, 0–1. */
  lights: number;
  /** 0 leaves colours unchanged; −1 removes them. */
  saturation: number;
  framing: Framing;
  /** The look of the whole picture, apart from its light. */
  style: Pick<Style, 'size' | 'film'>;
  /** Every pixel that is neither product nor shadow is exactly white. */
  pureWhite: boolean;
}

/** A place without its usual surface. */
type Space = Omit<Place, 'surface'>;

/** The colours that a description names, by what they are for. */
interface ColourUse {
  backdrop: Colour | undefined;
  surface: Colour | undefined;
  /** The first colour that belongs to neither. */
  other: Colour | undefined;
}

type Setting = Pick<SceneDescription, 'surface' | 'backdrop' | 'pureWhite'>;

const neutral = fromHex('#e2e0dc');
const backdropNouns = ['background', 'backdrop', 'wall', 'walls', 'sky', 'behind', 'sweep', 'cyclorama'];

/** The paragraph of a prompt that describes the scene, or its change. */
export function sceneOf(prompt: string): string {
  const [first = ''] = prompt.split(/(?:\r?\n){2}/, 1);
  if (isChange(prompt)) return first;
  // Paragraphs after the one that begins with "Style:" do not describe the scene, except that they say what photos show.
  const [scene = ''] = prompt.split(/(?:\r?\n){2}(?:Style|Avoid): /, 1);
  return scene;
}

/** Whether each photo shows another product, and all of them appear. */
export function showsSeveral(prompt: string): boolean {
  const [wanted = ''] = prompt.split(/(?:\r?\n){2}Avoid: /, 1);
  return readFraming(wanted).severalProducts;
}

/**
 * Interprets a description. Unknown words are ignored; without any known word, the scene is a bright neutral studio.
 * @param earlier the scenes that the description changes, the newest first
 */
export function describeScene(prompt: string, earlier: readonly string[] = []): SceneDescription {
  const scene = sceneOf(prompt);
  const words = [scene, ...earlier].reduceRight<readonly string[]>(
    (before, text) => withEarlier(readScene(text), before),
    [],
  );
  const plainMood = moodOf(words);
  const framing = {
    ...readFraming([scene, ...earlier].map(plainText).join('\n')),
    severalProducts: showsSeveral(prompt),
  };
  const setting = settingOf(words, plainMood);
  const style = readStyle(prompt);
  // Exact white has no light of its own.
  const mood = setting.pureWhite ? plainMood : moodOf(words, style.light);
  if (words.includes('neon')) setting.backdrop.kind = 'neon';
  const { kind, view } = setting.backdrop;
  const isLeafy = kind === 'view' && (view === views.garden || view === views.forest);
  return {
    ...setting,
    light: {
      ...mood.light,
      hardness: framing.hardShadow ? 1 : mood.light.hardness,
      dappled: isLeafy && mood.light.hardness > 0.2,
    },
    lights: Math.min(1, mood.lights),
    saturation: mood.saturation,
    framing,
    style: { size: style.size, film: style.film },
  };
}

function settingOf(words: readonly string[], mood: Mood): Setting {
  const place = placeOf(words);
  const material = materialOf(words, place?.surface);
  const colours = colourUse(words, material);
  if (material !== undefined) return materialSetting(words, mood.light, material, place, colours);
  const named = colours.backdrop ?? colours.other;
  if (place?.backdrop === 'studio') return plainSetting('studio', named ?? fromHex('#8b8e92'));
  if (isWhiteBackground(words)) return { ...plainSetting('seamless', [1, 1, 1]), pureWhite: true };
  if (named !== undefined) return plainSetting('seamless', named);
  return moodSetting(words, mood);
}

function colourUse(words: readonly string[], material: NamedMaterial | undefined): ColourUse {
  const colours = coloursOf(words);
  const backdrop = colours.find(({ at }) => isNear(words, at, backdropNouns));
  const surface = colours.find(
    (named) => named !== backdrop && material?.named && isNear(words, named.at, [material.word]),
  );
  const other = colours.find((named) => named !== backdrop && named !== surface);
  return { backdrop: backdrop?.colour, surface: surface?.colour, other: other?.colour };
}

/** The setting for a surface that is named, or that is usual for the place. */
function materialSetting(
  words: readonly string[],
  light: MoodLight,
  { material, colour }: NamedMaterial,
  place: Place | undefined,
  colours: ColourUse,
): Setting {
  // With neither a place nor a backdrop colour, a colour that stands alone is the surface's; otherwise the wall's.
  const isOtherOfSurface =
    colours.surface === undefined && place === undefined && colours.backdrop === undefined;
  const surfaceColour = colours.surface ?? (isOtherOfSurface ? colours.other : undefined);
  const wallColour = colours.backdrop ?? (isOtherOfSurface ? undefined : colours.other);
  const space: Space = place ?? usualPlaceOf(material, wallColour !== undefined);
  const own = fromHex(colour);
  const shown = surfaceColour === undefined ? own : tinted(material, own, surfaceColour);
  const isWall = wallColour !== undefined && space.backdrop === 'view' && place === undefined;
  return {
    surface: { material, colour: shown, isTable: isTable(words, material) },
    backdrop: {
      kind: isWall ? 'wall' : space.backdrop,
      colour: wallColour ?? companionOf(shown, space.backdrop),
      view: viewOf(space, light, words),
    },
    pureWhite: false,
  };
}

/** Furniture that a product stands on, and rooms where it would not stand on the floor. */
const tableWords = new Set(
  'table tabletop desk counter countertop shelf shelves sideboard windowsill kitchen café cafe restaurant bar pub office'.split(
    ' ',
  ),
);
/** What a table is made of. */
const tableMaterials: ReadonlySet<MaterialName> = new Set([
  'wood',
  'marble',
  'terrazzo',
  'concrete',
  'slate',
  'glass',
]);

/** Whether the surface is a table, whose edges are visible. */
function isTable(words: readonly string[], material: MaterialName): boolean {
  return (
    tableMaterials.has(material) && !words.includes('floor') && words.some((word) => tableWords.has(word))
  );
}

/** A sheet of paper in one colour. */
function plainSetting(kind: 'studio' | 'seamless', colour: Colour): Setting {
  return {
    surface: { material: 'plain', colour, isTable: false },
    backdrop: { kind, colour, view: views.studio },
    pureWhite: false,
  };
}

/** The setting when neither a place, a surface nor a colour is named: it depends on the mood. */
function moodSetting(words: readonly string[], mood: Mood): Setting {
  const isLuxury = words.some((word) => ['luxury', 'luxurious', 'premium'].includes(word));
  const before = (material: MaterialName, surface: string, wall: string, view: View): Setting => ({
    surface: { material, colour: fromHex(surface), isTable: true },
    backdrop: { kind: 'wall', colour: fromHex(wall), view },
    pureWhite: false,
  });
  if (mood.lights > 0.4) return before('wood', '#6b4a33', '#3a2a20', views.cafe);
  if (isLuxury) return before('marble', '#232325', '#3c3733', views.room);
  return plainSetting('seamless', mood.light.exposure < -0.2 ? fromHex('#3a3b3e') : neutral);
}

/** The view for the time of day. */
function viewOf(place: Space, light: MoodLight, words: readonly string[]): View {
  const isDark = words.some((word) => ['night', 'midnight', 'dusk', 'evening'].includes(word));
  let name: ViewName = place.view;
  if (isDark && place.dark !== undefined) name = place.dark;
  else if (light.lowSun > 0.5 && place.low !== undefined) name = place.low;
  return views[name];
}

/** The usual place for a surface, when none is named. */
function usualPlaceOf(material: MaterialName, hasWall: boolean): Space {
  const outdoors: Partial<Record<MaterialName, string>> = {
    sand: 'beach',
    snow: 'snow',
    grass: 'park',
    water: 'lake',
  };
  const place = placeWords.get(outdoors[material] ?? '');
  if (place !== undefined) return place;
  if (material === 'paper' || material === 'plain') {
    return { backdrop: hasWall ? 'wall' : 'seamless', view: 'room' };
  }
  const isOfRoom = ['wood', 'marble', 'terrazzo', 'tiles'].includes(material);
  return { backdrop: isOfRoom ? 'view' : 'wall', view: 'room' };
}

/** A material in another colour keeps some of its own: stained wood is still wood. */
function tinted(material: MaterialName, own: Colour, named: Colour): Colour {
  const share: Partial<Record<MaterialName, number>> = {
    wood: 0.75,
    grass: 0.4,
    sand: 0.7,
    snow: 0.2,
    slate: 0.8,
  };
  return blend(own, named, share[material] ?? 1);
}

/** The backdrop's colour when none is named: it matches the surface. */
function companionOf(surface: Colour, kind: BackdropKind): Colour {
  if (kind === 'seamless') return surface;
  const bright = luminance(surface);
  if (kind === 'studio') return fromHex(bright < 0.08 ? '#3c3e42' : '#84878b');
  if (kind !== 'wall') return fromHex('#cfc8be');
  if (bright > 0.6) return fromHex('#dedad3');
  if (bright > 0.12) return fromHex('#d3c8ba');
  return fromHex('#a39a90');
}
