/** Interprets a description as a scene. */
import { blend, type Colour, fromHex, luminance, scale } from '../colour.ts';
import type { MaterialName } from '../surfaces/surface.ts';
import { colourModifiers, colourWords } from './colours.ts';
import { type Framing, readFraming } from './framing.ts';
import { materialWords, thingsOfMaterial } from './materials.ts';
import { type MoodLight, moodOf } from './mood.ts';
import {
  type BackdropKind,
  type Place,
  placeWords,
  type View,
  type ViewName,
  views,
  weakPlaces,
} from './places.ts';
import { readWords, type Word } from './tokens.ts';

/** Everything the renderer needs to know about the scene; the same words give the same result. */
export interface SceneDescription {
  surface: { material: MaterialName; colour: Colour };
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
  /** Every pixel that is neither product nor shadow is exactly white. */
  pureWhite: boolean;
}

interface NamedColour {
  colour: Colour;
  at: number;
}

interface NamedMaterial {
  material: MaterialName;
  colour: string;
  word: string;
  /** False when it is the usual surface of the place. */
  named: boolean;
}

/** A place without its usual surface. */
type Space = Omit<Place, 'surface'>;

/**
 * Interprets a description. Unknown words are ignored; without any known word, the scene is a bright neutral studio.
 */
export function describeScene(prompt: string): SceneDescription {
  const words = readWords(prompt);
  const mood = moodOf(words);
  const place = placeOf(words);
  const material = materialOf(words, place?.surface);
  const colours = coloursOf(words);
  const isNeon = words.some(({ text }) => text === 'neon');

  const backdropColour = colours.find(({ at }) => isNear(words, at, backdropNouns));
  const surfaceColour = colours.find(
    (named) => named !== backdropColour && material?.named && isNear(words, named.at, [material.word]),
  );
  const free = colours.find((named) => named !== backdropColour && named !== surfaceColour);

  const description: SceneDescription = {
    surface: { material: 'plain', colour: neutral },
    backdrop: { kind: 'seamless', colour: neutral, view: views.studio },
    light: { ...mood.light, dappled: false },
    lights: Math.min(1, mood.lights),
    saturation: mood.saturation,
    framing: readFraming(prompt),
    pureWhite: false,
  };

  if (material !== undefined) {
    const own = fromHex(material.colour);
    const named = surfaceColour ?? (place === undefined && backdropColour === undefined ? free : undefined);
    const colour = named === undefined ? own : tinted(material.material, own, named.colour);
    const wall = backdropColour ?? (named === free ? undefined : free);
    const space: Space = place ?? usualPlaceOf(material.material, wall !== undefined);
    description.surface = { material: material.material, colour };
    description.backdrop = {
      kind: wall !== undefined && space.backdrop === 'view' && place === undefined ? 'wall' : space.backdrop,
      colour: wall?.colour ?? companionOf(colour, space.backdrop),
      view: viewOf(space, mood.light, words),
    };
  } else if (place?.backdrop === 'studio') {
    const named = (backdropColour ?? free)?.colour;
    setPlain(description, 'studio', named ?? fromHex('#8b8e92'));
  } else if (isWhiteBackground(words)) {
    setPlain(description, 'seamless', [1, 1, 1]);
    description.pureWhite = true;
  } else {
    const named = (backdropColour ?? free)?.colour;
    setPlain(description, 'seamless', named ?? (mood.light.exposure < -0.2 ? fromHex('#3a3b3e') : neutral));
    const isLuxury = words.some(({ text }) => ['luxury', 'luxurious', 'premium'].includes(text));
    if (mood.lights > 0.4 && named === undefined) {
      description.backdrop = { kind: 'wall', colour: fromHex('#3a2a20'), view: views.cafe };
      description.surface = { material: 'wood', colour: fromHex('#6b4a33') };
    } else if (isLuxury && named === undefined) {
      description.surface = { material: 'marble', colour: fromHex('#232325') };
      description.backdrop = { kind: 'wall', colour: fromHex('#3c3733'), view: views.room };
    }
  }
  if (isNeon) description.backdrop.kind = 'neon';
  const leafy: View[] = [views.garden, views.forest];
  description.light.dappled =
    leafy.includes(description.backdrop.view) &&
    description.backdrop.kind === 'view' &&
    mood.light.hardness > 0.2;
  if (description.framing.hardShadow) description.light.hardness = 1;
  return description;
}

const neutral = fromHex('#e2e0dc');
const backdropNouns = ['background', 'backdrop', 'wall', 'walls', 'sky', 'behind', 'sweep', 'cyclorama'];

function setPlain(description: SceneDescription, kind: 'studio' | 'seamless', colour: Colour): void {
  description.surface = { material: 'plain', colour };
  description.backdrop = { ...description.backdrop, kind, colour };
}

/** English puts a colour before its noun: "dark green marble", "a pink paper background". */
function isNear(words: Word[], at: number, nouns: readonly string[]): boolean {
  return words.slice(at + 1, at + 4).some(({ text }) => nouns.includes(text));
}

function isWhiteBackground(words: Word[]): boolean {
  const has = (...texts: string[]) => words.some(({ text }) => texts.includes(text));
  const otherColours = words.filter(({ text }) => text !== 'white' && text !== '#fff' && text !== '#ffffff');
  return (
    otherColours.length < words.length &&
    !otherColours.some(({ text }) => Object.hasOwn(colourWords, text) || text.startsWith('#')) &&
    !has('off', 'warm', 'creamy')
  );
}

function placeOf(words: Word[]): Place | undefined {
  const found = words.filter(({ text }) => Object.hasOwn(placeWords, text));
  const word = found.find(({ text }) => !weakPlaces.has(text)) ?? found[0];
  return word === undefined ? undefined : placeWords[word.text];
}

/** The view for the time of day. */
function viewOf(place: Space, light: MoodLight, words: Word[]): View {
  const isDark = words.some(({ text }) => ['night', 'midnight', 'dusk', 'evening'].includes(text));
  let name: ViewName = place.view;
  if (isDark && place.dark !== undefined) name = place.dark;
  else if (light.lowSun > 0.5 && place.low !== undefined) name = place.low;
  return views[name];
}

/** The usual place for a surface, when none is named. */
function usualPlaceOf(material: MaterialName, hasWall: boolean): Space {
  switch (material) {
    case 'sand':
      return placeWords.beach!;
    case 'snow':
      return placeWords.snow!;
    case 'grass':
      return placeWords.park!;
    case 'water':
      return placeWords.lake!;
    case 'paper':
    case 'plain':
      return { backdrop: hasWall ? 'wall' : 'seamless', view: 'room' };
    case 'wood':
    case 'marble':
    case 'terrazzo':
    case 'tiles':
      return { backdrop: 'view', view: 'room' };
    default:
      return { backdrop: 'wall', view: 'room' };
  }
}

function materialOf(words: Word[], surfaceOfPlace: string | undefined): NamedMaterial | undefined {
  const found = words.filter(({ text }) => Object.hasOwn(materialWords, text));
  const word = found.find(({ text }) => !thingsOfMaterial.has(text)) ?? found[0];
  if (word !== undefined) return { ...materialWords[word.text]!, word: word.text, named: true };
  const usual = surfaceOfPlace === undefined ? undefined : materialWords[surfaceOfPlace];
  return usual === undefined ? undefined : { ...usual, word: surfaceOfPlace ?? '', named: false };
}

function coloursOf(words: Word[]): NamedColour[] {
  const colours: NamedColour[] = [];
  for (const { text, at } of words) {
    const next = words[at + 1]?.text;
    if (text.startsWith('#')) {
      const hex = text.length === 4 ? `#${[...text.slice(1)].map((digit) => digit + digit).join('')}` : text;
      colours.push({ colour: fromHex(hex), at });
      continue;
    }
    const hex = Object.hasOwn(colourWords, text) ? colourWords[text] : undefined;
    // "golden hour" is a time of day, "rose gold" one colour, "sand" usually a material.
    if (hex === undefined || (text === 'golden' && next === 'hour') || text === 'sand') continue;
    if (text === 'rose' && next === 'gold') {
      colours.push({ colour: fromHex('#d9a58f'), at: at + 1 });
      continue;
    }
    const before = words[at - 1]?.text ?? '';
    if (text === 'gold' && before === 'rose') continue;
    const modifier = Object.hasOwn(colourModifiers, before) ? colourModifiers[before] : undefined;
    colours.push({ colour: modified(fromHex(hex), modifier), at });
  }
  return colours;
}

function modified(colour: Colour, modifier: (typeof colourModifiers)[string] | undefined): Colour {
  const grey = luminance(colour);
  switch (modifier) {
    case 'light':
      return blend(colour, [0.95, 0.95, 0.95], 0.5);
    case 'dark':
      return scale(colour, 0.32);
    case 'pastel':
      return blend(blend(colour, [grey, grey, grey], 0.25), [0.92, 0.9, 0.88], 0.55);
    case 'vivid': {
      const [red, green, blue] = blend([grey, grey, grey], colour, 1.2);
      return [Math.max(0, red), Math.max(0, green), Math.max(0, blue)];
    }
    default:
      return colour;
  }
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
