/** Extracts the words of a description that describe the scene itself. */
import { placeWords } from './places.ts';
import { colourWords, surfaceWords } from './vocabulary.ts';

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
