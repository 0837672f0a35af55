/** The words of a description that describe the scene itself, and the surface and colours that they name. */

import { blend, type Colour, fromHex, luminance, scale } from '../colour.ts';
import { placeWords } from './places.ts';
import { colourModifiers, colourWords, type SurfaceLook, surfaceWordOf, surfaceWords } from './vocabulary.ts';

/**
 * Words that begin a list of props. Props cannot be drawn, so their materials and colours must not affect the scene.
 */
const propsBegin = wordSet('with surrounded beside scattered holding splashing featuring');
/** Words that end such a list. */
const propsEnd = wordSet('on in at against before behind under over by');
/** A part that contains one of these describes the scene: "with a pink wall", "with soft light". */
const sceneNouns = wordSet(
  'background backdrop wall walls sky surface light lights lighting sunlight daylight sun shadow shadows glow bokeh ' +
    'reflection reflections view sea ocean colours colors tones mood',
);
/** What precedes one of these is the product: "a white ceramic mug on oak". */
const surfaceFollows = wordSet('on onto upon atop');
/** The next word is what the picture should not contain. */
const negations = wordSet('no without not');

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/**
 * Splits a description into words and drops what the renderer ignores: props, negated words, splashes, and the
 * product's own material.
 * @returns the words in lower case and colours such as `#ffd`, in order
 */
export function readWords(prompt: string): string[] {
  const parts = prompt
    .toLowerCase()
    .normalize('NFC')
    .split(/[,.;:!?\n]+|\band\b/u);
  return parts.flatMap((part) => {
    const words = [...part.matchAll(/#[0-9a-f]{6}\b|#[0-9a-f]{3}\b|[\p{L}]+/gu)].map((match) => match[0]);
    return withoutProps(withoutProduct(withoutNegated(words)));
  });
}

/** The words that follow "no" or "without" anywhere in the description, for options that can be switched off. */
export function readNegated(prompt: string): Set<string> {
  const found = prompt.toLowerCase().matchAll(/\b(?:no|without)\s+(?:any\s+)?([\p{L}]+)/gu);
  return new Set([...found].map((match) => match[1]!));
}

function withoutNegated(words: string[]): string[] {
  return words.filter((word, at) => !negations.has(word) && !negations.has(words[at - 1] ?? ''));
}

function withoutProduct(words: string[]): string[] {
  const isOwn = (word: string) => surfaceWords.has(word) || colourWords.has(word);
  const isScene = (word: string) => isOwn(word) || placeWords.has(word) || word.startsWith('#');
  const surface = words.findIndex((word) => surfaceFollows.has(word));
  const [product, scene] = [words.slice(0, surface), words.slice(surface)];
  if (surface < 1 || !scene.some(isScene) || product.some((word) => sceneNouns.has(word))) return words;
  return [...product.filter((word) => !isOwn(word)), ...scene];
}

function withoutProps(words: string[]): string[] {
  const splash = words.findIndex((word) => word.startsWith('splash'));
  if (splash >= 0) return words.slice(0, Math.max(0, splash - 1));
  const kept: string[] = [];
  let props: string[] | undefined;
  const endProps = (): void => {
    if (props?.some((word) => sceneNouns.has(word))) kept.push(...props);
    props = undefined;
  };
  for (const word of words) {
    if (propsBegin.has(word)) {
      endProps();
      props = [];
    } else if (props !== undefined && props.length > 1 && propsEnd.has(word)) {
      endProps();
    }
    if (props === undefined) kept.push(word);
    else props.push(word);
  }
  endProps();
  return kept;
}

/** A colour, and the position of its word. */
interface NamedColour {
  colour: Colour;
  at: number;
}

/** A surface. */
export interface NamedMaterial extends SurfaceLook {
  word: string;
  /** False when it is the usual surface of the place. */
  named: boolean;
}

/** Whether one of the nouns follows a colour closely. English puts a colour before its noun: "dark green marble", "a pink paper background". */
export function isNear(words: readonly string[], at: number, nouns: readonly string[]): boolean {
  return words.slice(at + 1, at + 4).some((word) => nouns.includes(word));
}

/** Whether white is the only colour that is named. */
export function isWhiteBackground(words: readonly string[]): boolean {
  const others = words.filter((word) => !['white', '#fff', '#ffffff'].includes(word));
  return (
    others.length < words.length &&
    !others.some((word) => colourWords.has(word) || word.startsWith('#')) &&
    !words.some((word) => ['off', 'warm', 'creamy'].includes(word))
  );
}

/**
 * The surface that is named, or else the usual one of the place.
 * @param surfaceOfPlace see `Place`
 */
export function materialOf(words: readonly string[], surfaceOfPlace = ''): NamedMaterial | undefined {
  const word = surfaceWordOf(words);
  const found = surfaceWords.get(word ?? surfaceOfPlace);
  return found && { ...found, word: word ?? surfaceOfPlace, named: word !== undefined };
}

/** All colours that are named, with their modifiers applied. */
export function coloursOf(words: readonly string[]): NamedColour[] {
  return words.flatMap((word, at) => {
    if (word.startsWith('#')) {
      const hex = word.length === 4 ? `#${[...word.slice(1)].map((digit) => digit + digit).join('')}` : word;
      return { colour: fromHex(hex), at };
    }
    const hex = colourWords.get(word);
    const isHour = word === 'golden' && words[at + 1] === 'hour';
    // "golden hour" is a time of day, "sand" usually a material.
    if (hex === undefined || isHour || word === 'sand') return [];
    return { colour: modified(fromHex(hex), colourModifiers.get(words[at - 1] ?? '')), at };
  });
}

function modified(colour: Colour, modifier: ReturnType<typeof colourModifiers.get>): Colour {
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
