/** From the words of a description to what the scene is made of. */
import { blend, type Colour, fromHex, luminance, scale } from './colour.ts';
import { colourModifiers, colourWords } from './colour-words.ts';
import type { MaterialName } from './surfaces/surface.ts';
import { type BackdropKind, type MoodChange, materialWords, moodWords, placeWords } from './words.ts';

/** Everything the renderer has to know about the scene; the same words give the same description. */
export interface SceneDescription {
  surface: { material: MaterialName; colour: Colour };
  backdrop: { kind: BackdropKind; colour: Colour };
  light: {
    /** −1 cold to 1 warm. */
    warmth: number;
    /** In stops; 0 is a well-lit packshot. */
    exposure: number;
    /** In stops, on top, for the backdrop only. */
    backdropExposure: number;
    /** 0 overcast to 1 bare sun. */
    hardness: number;
    /** 0 high to 1 low over the horizon. */
    lowSun: number;
    /** Sunlight through leaves. */
    dappled: boolean;
  };
  /** Blurred points of light behind, 0–1. */
  lights: number;
  /** 0 leaves colours as they are; −1 takes them away. */
  saturation: number;
}

interface NamedColour {
  colour: Colour;
  at: number;
}

interface Word {
  text: string;
  at: number;
}

/** Reads a description. Unknown words change nothing; with no known word at all it is a bright neutral studio. */
export function describeScene(prompt: string): SceneDescription {
  const words = [
    ...prompt
      .toLowerCase()
      .normalize('NFC')
      .matchAll(/[\p{L}]+/gu),
  ].map((match, at): Word => ({ text: match[0], at }));
  const mood = moodOf(words);
  const place = placeOf(words);
  const material = materialOf(words, place?.surface);
  const colours = coloursOf(words);
  const white = isWhiteSweep(words, material !== undefined, place !== undefined);

  const backdropColour = colours.find(({ at }) => isNear(words, at, backdropNouns));
  const surfaceColour = colours.find(
    (named) =>
      named !== backdropColour &&
      (material?.named ?? false) &&
      isNear(words, named.at, [material?.word ?? '']),
  );
  const free = colours.find((named) => named !== backdropColour && named !== surfaceColour);

  const description: SceneDescription = {
    surface: { material: 'plain', colour: fromHex('#e2e0dc') },
    backdrop: { kind: 'sweep', colour: fromHex('#e2e0dc') },
    light: { ...mood.light, dappled: false },
    lights: Math.min(1, mood.lights),
    saturation: mood.saturation,
  };

  if (material !== undefined) {
    const own = fromHex(material.colour);
    const named = surfaceColour ?? (place === undefined && backdropColour === undefined ? free : undefined);
    description.surface = {
      material: material.material,
      colour: named === undefined ? own : tinted(material.material, own, named.colour),
    };
    const kind = place?.backdrop ?? 'wall';
    const wall = backdropColour ?? (named === free ? undefined : free);
    description.backdrop = { kind, colour: wall?.colour ?? companionOf(description.surface.colour, kind) };
  } else if (place?.backdrop === 'studio') {
    const colour = (backdropColour ?? free)?.colour ?? fromHex('#84878b');
    description.surface = { material: 'plain', colour };
    description.backdrop = { kind: 'studio', colour };
  } else if (white) {
    description.surface = { material: 'plain', colour: fromHex('#fbfbfb') };
    description.backdrop = { kind: 'sweep', colour: fromHex('#fbfbfb') };
  } else {
    const colour =
      (backdropColour ?? free)?.colour ?? fromHex(mood.light.exposure < -0.2 ? '#3a3b3e' : '#dedbd5');
    description.surface = { material: 'plain', colour };
    description.backdrop = { kind: mood.lights > 0.4 ? 'night' : 'sweep', colour };
    if (words.some(({ text }) => text === 'neon')) {
      description.backdrop = { kind: 'neon', colour: fromHex('#171320') };
      description.surface = { material: 'glass', colour: fromHex('#1c1a26') };
    } else if (
      words.some(({ text }) => ['luxury', 'luxurious', 'premium'].includes(text)) &&
      colours.length === 0
    ) {
      description.surface = { material: 'marble', colour: fromHex('#232325') };
      description.backdrop = { kind: 'wall', colour: fromHex('#3c3733') };
    }
  }
  if (words.some(({ text }) => text === 'neon') && place === undefined) description.backdrop.kind = 'neon';
  const outdoors: BackdropKind[] = ['garden', 'forest'];
  description.light.dappled = outdoors.includes(description.backdrop.kind) && mood.light.hardness > 0.2;
  if (outdoors.includes(description.backdrop.kind) || description.backdrop.kind === 'beach') {
    description.light.hardness = Math.min(1, description.light.hardness + 0.25);
    description.light.warmth += 0.18;
  }
  return description;
}

const backdropNouns = ['background', 'backdrop', 'wall', 'walls', 'sky', 'behind', 'sweep', 'cyclorama'];

function isNear(words: Word[], at: number, nouns: readonly string[]): boolean {
  // English puts the colour before its noun: "dark green marble", "a pink paper background".
  return words.slice(at + 1, at + 4).some(({ text }) => nouns.includes(text));
}

function isWhiteSweep(words: Word[], hasMaterial: boolean, hasPlace: boolean): boolean {
  const has = (...texts: string[]) => words.some(({ text }) => texts.includes(text));
  return (
    !hasMaterial &&
    !hasPlace &&
    has('white') &&
    (has('minimalist', 'minimal', 'clean', 'pure', 'plain', 'seamless', 'background', 'sweep', 'cyclorama') ||
      words.length < 4)
  );
}

function placeOf(words: Word[]) {
  for (const { text } of words) {
    const place = Object.hasOwn(placeWords, text) ? placeWords[text] : undefined;
    if (place !== undefined) return place;
  }
  return undefined;
}

function materialOf(words: Word[], surfaceOfPlace: string | undefined) {
  // Words such as "table" name a thing rather than a material: they count only when nothing better is there.
  const things = [
    'table',
    'desk',
    'shelf',
    'wood',
    'wooden',
    'plank',
    'planks',
    'timber',
    'beach',
    'desert',
    'tile',
    'glossy',
    'cloth',
    'fabric',
    'pool',
    'stone',
  ];
  const found = words.filter(({ text }) => Object.hasOwn(materialWords, text));
  const word = found.find(({ text }) => !things.includes(text)) ?? found[0];
  if (word !== undefined) return { ...materialWords[word.text]!, word: word.text, named: true };
  const fallback = surfaceOfPlace === undefined ? undefined : materialWords[surfaceOfPlace];
  return fallback === undefined ? undefined : { ...fallback, word: surfaceOfPlace ?? '', named: false };
}

function coloursOf(words: Word[]): NamedColour[] {
  const colours: NamedColour[] = [];
  for (const { text, at } of words) {
    const hex = Object.hasOwn(colourWords, text) ? colourWords[text] : undefined;
    const next = words[at + 1]?.text;
    // "golden hour" is a time of day, "rose gold" one colour, "sand" mostly a material.
    if (
      hex === undefined ||
      (text === 'golden' && next === 'hour') ||
      (text === 'sand' && Object.hasOwn(materialWords, 'sand'))
    )
      continue;
    if (text === 'rose' && next === 'gold') {
      colours.push({ colour: fromHex('#d9a58f'), at: at + 1 });
      continue;
    }
    if (text === 'gold' && words[at - 1]?.text === 'rose') continue;
    const before = words[at - 1]?.text ?? '';
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
    case 'vivid':
      return blend([grey, grey, grey], colour, 1.2).map((value) => Math.max(0, value)) as unknown as Colour;
    default:
      return colour;
  }
}

/** A material in another colour keeps some of its own: stained wood still is wood. */
function tinted(material: MaterialName, own: Colour, named: Colour): Colour {
  const share: Partial<Record<MaterialName, number>> = {
    wood: 0.75,
    grass: 0.4,
    sand: 0.7,
    snow: 0.2,
    slate: 0.8,
  };
  return blend(own, named, share[material] ?? 0.92);
}

/** A quiet wall that goes with the surface. */
function companionOf(surface: Colour, kind: BackdropKind): Colour {
  const bright = luminance(surface);
  if (kind === 'studio') return fromHex(bright < 0.08 ? '#3c3e42' : '#84878b');
  if (kind !== 'wall') return fromHex('#cfc8be');
  if (bright > 0.6) return fromHex('#dedad3');
  if (bright > 0.12) return fromHex('#d3c8ba');
  return fromHex('#a39a90');
}

function moodOf(words: Word[]) {
  const light = { warmth: 0, exposure: 0, backdropExposure: 0, hardness: 0.4, lowSun: 0.2 };
  let lights = 0;
  let saturation = 0;
  for (const text of new Set(words.map((word) => word.text))) {
    // "dark green" is a colour, not a mood.
    const place = words.find((word) => word.text === text)!.at;
    const next = words[place + 1]?.text ?? '';
    if (
      Object.hasOwn(colourModifiers, text) &&
      (Object.hasOwn(colourWords, next) || Object.hasOwn(materialWords, next))
    )
      continue;
    const change: MoodChange | undefined = Object.hasOwn(moodWords, text) ? moodWords[text] : undefined;
    if (change === undefined) continue;
    light.warmth += change.warmth ?? 0;
    light.exposure += change.exposure ?? 0;
    light.backdropExposure += change.backdropExposure ?? 0;
    light.hardness += change.hardness ?? 0;
    light.lowSun += change.lowSun ?? 0;
    lights = Math.max(lights, change.lights ?? 0);
    saturation += change.saturation ?? 0;
  }
  const within = (value: number, from: number, to: number) => Math.min(to, Math.max(from, value));
  light.warmth = within(light.warmth, -1, 1);
  light.exposure = within(light.exposure, -0.9, 0.4);
  light.backdropExposure = within(light.backdropExposure, -2.2, 0.5);
  light.hardness = within(light.hardness, 0, 1);
  light.lowSun = within(light.lowSun, 0, 1);
  return { light, lights, saturation: within(saturation, -0.6, 0.3) };
}
