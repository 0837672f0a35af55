/** Extracts the words of a description that describe the scene itself. */
import { colourWords } from './colours.ts';
import { materialWords } from './materials.ts';
import { placeWords } from './places.ts';

/** A word in lower case, or a colour such as `#ffd`, with its position among the relevant words. */
export interface Word {
  text: string;
  at: number;
}

/**
 * Words that begin a list of props. Props cannot be drawn, so their materials and colours must not affect the scene.
 */
const propsBegin = new Set([
  'with',
  'surrounded',
  'beside',
  'scattered',
  'holding',
  'splashing',
  'featuring',
]);
/** Words that end such a list. */
const propsEnd = new Set(['on', 'in', 'at', 'against', 'before', 'behind', 'under', 'over', 'by']);
/** A part that contains one of these describes the scene: "with a pink wall", "with soft light". */
const sceneNouns = new Set([
  'background',
  'backdrop',
  'wall',
  'walls',
  'sky',
  'surface',
  'light',
  'lights',
  'lighting',
  'sunlight',
  'daylight',
  'sun',
  'shadow',
  'shadows',
  'glow',
  'bokeh',
  'reflection',
  'reflections',
  'view',
  'sea',
  'ocean',
  'colours',
  'colors',
  'tones',
  'mood',
]);
/** What precedes one of these is the product: "a white ceramic mug on oak". */
const surfaceFollows = new Set(['on', 'onto', 'upon', 'atop']);
/** The next word is what the picture should not contain. */
const negations = new Set(['no', 'without', 'not']);

/**
 * Splits a description into words and drops what the renderer ignores: props, negated words, splashes, and the
 * product's own material.
 * @returns the words in order, numbered without gaps
 */
export function readWords(prompt: string): Word[] {
  const parts = prompt
    .toLowerCase()
    .normalize('NFC')
    .split(/[,.;:!?\n]+|\band\b/u);
  const kept: string[] = [];
  for (const part of parts) {
    const words = [...part.matchAll(/#[0-9a-f]{6}\b|#[0-9a-f]{3}\b|[\p{L}]+/gu)].map((match) => match[0]);
    kept.push(...withoutProps(withoutProduct(withoutNegated(words))));
  }
  return kept.map((text, at) => ({ text, at }));
}

/** The words that follow "no" or "without" anywhere in the description, for options that can be switched off. */
export function readNegated(prompt: string): Set<string> {
  const found = prompt.toLowerCase().matchAll(/\b(?:no|without)\s+(?:any\s+)?([\p{L}]+)/gu);
  return new Set([...found].map((match) => match[1]!));
}

function withoutNegated(words: string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    if (negations.has(words[index]!)) index += 1;
    else kept.push(words[index]!);
  }
  return kept;
}

function withoutProduct(words: string[]): string[] {
  const isOwn = (word: string) => Object.hasOwn(materialWords, word) || Object.hasOwn(colourWords, word);
  const isScene = (word: string) => isOwn(word) || Object.hasOwn(placeWords, word) || word.startsWith('#');
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
