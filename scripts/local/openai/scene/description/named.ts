/** What the words of a description name: a place, a surface and colours. */
import { blend, type Colour, fromHex, luminance, scale } from '../colour.ts';
import type { MaterialName } from '../surfaces/materials.ts';
import { colourModifiers, colourWords } from './colours.ts';
import { materialWords, thingsOfMaterial } from './materials.ts';
import { type Place, placeWords, weakPlaces } from './places.ts';
import type { Word } from './tokens.ts';

/** A colour, and the position of its word. */
export interface NamedColour {
  colour: Colour;
  at: number;
}

/** A surface. */
export interface NamedMaterial {
  material: MaterialName;
  colour: string;
  word: string;
  /** False when it is the usual surface of the place. */
  named: boolean;
}

/** Whether one of the nouns follows a colour closely. English puts a colour before its noun: "dark green marble", "a pink paper background". */
export function isNear(words: Word[], at: number, nouns: readonly string[]): boolean {
  return words.slice(at + 1, at + 4).some(({ text }) => nouns.includes(text));
}

/** Whether white is the only colour that is named. */
export function isWhiteBackground(words: Word[]): boolean {
  const has = (...texts: string[]) => words.some(({ text }) => texts.includes(text));
  const otherColours = words.filter(({ text }) => text !== 'white' && text !== '#fff' && text !== '#ffffff');
  return (
    otherColours.length < words.length &&
    !otherColours.some(({ text }) => Object.hasOwn(colourWords, text) || text.startsWith('#')) &&
    !has('off', 'warm', 'creamy')
  );
}

/** The place that is named; a word that can also be an attribute counts only without another place. */
export function placeOf(words: Word[]): Place | undefined {
  const found = words.filter(({ text }) => Object.hasOwn(placeWords, text));
  const word = found.find(({ text }) => !weakPlaces.has(text)) ?? found[0];
  return word === undefined ? undefined : placeWords[word.text];
}

/**
 * The surface that is named, or else the usual one of the place.
 * @param surfaceOfPlace a key of `materialWords`
 */
export function materialOf(words: Word[], surfaceOfPlace: string | undefined): NamedMaterial | undefined {
  const found = words.filter(({ text }) => Object.hasOwn(materialWords, text));
  const word = found.find(({ text }) => !thingsOfMaterial.has(text)) ?? found[0];
  if (word !== undefined) return { ...materialWords[word.text]!, word: word.text, named: true };
  const usual = surfaceOfPlace === undefined ? undefined : materialWords[surfaceOfPlace];
  return usual === undefined ? undefined : { ...usual, word: surfaceOfPlace ?? '', named: false };
}

/** All colours that are named, with their modifiers applied. */
export function coloursOf(words: Word[]): NamedColour[] {
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
