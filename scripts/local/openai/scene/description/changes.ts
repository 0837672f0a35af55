/** Changes of an earlier picture: "make the wall blue", "warmer", "move it to the left". */
import type { Take } from '../take.ts';
import { placeWords } from './places.ts';
import { colourModifiers, colourWords, surfaceWords } from './vocabulary.ts';
import { readWords } from './words.ts';

/** What the first paragraph of a prompt begins with when it changes a picture. */
const prefix = 'Change the first picture: ';

/** Whether a prompt changes the first picture, which is not a photo then. */
export function isChange(prompt: string): boolean {
  return prompt.startsWith(prefix);
}

const removing = /\b(remove|delete|erase|take away|get rid of|lose)\b( (the|all|any|its))*/g;

/** Whether something is to be removed. */
export function removesSomething(instruction: string): boolean {
  return instruction.toLowerCase().search(removing) >= 0;
}

/** Words of the same meaning that the descriptions of scenes know. */
const rewordings: readonly [RegExp, string][] = [
  [removing, 'without'],
  [/\b(closer|zoom in)\b/g, 'close-up'],
];
/** What an instruction can give a colour to: the surroundings of the product. */
const backdropNouns = new Set(['background', 'backdrop', 'wall', 'walls', 'sky']);
const surfaceNouns = new Set(['surface', 'floor', 'ground', 'table', 'desk', 'shelf', 'paper', 'counter']);

/** The text of a scene or, after the prefix, of the instruction for a change, in words that descriptions know. */
export function plainText(text: string): string {
  if (!isChange(text)) return text;
  return rewordings.reduce(
    (rest, [pattern, replacement]) => rest.replace(pattern, replacement),
    text.slice(prefix.length).toLowerCase(),
  );
}

/** The words of a scene or, after the prefix, of the instruction for a change. */
export function readScene(text: string): string[] {
  const words = readWords(plainText(text));
  return isChange(text) ? nounsAfterColours(words) : words;
}

/**
 * Puts the noun behind its colour, where the descriptions of scenes expect it: "make the wall blue" is a blue wall. A
 * colour without a noun is the background's, because the product keeps its colours.
 */
function nounsAfterColours(words: string[]): string[] {
  const known = (word: string) => backdropNouns.has(word) || surfaceNouns.has(word) || surfaceWords.has(word);
  return words.flatMap((word, at) => {
    if (!isColour(word) || words.slice(at + 1, at + 4).some(known)) return [word];
    return [word, words.slice(0, at).findLast(known) ?? 'background'];
  });
}

function isColour(word: string): boolean {
  return (colourWords.has(word) || word.startsWith('#')) && word !== 'sand';
}

/** Whether the words name a place, a surface or a colour, and not only a mood. */
export function namesScene(words: readonly string[]): boolean {
  return words.some((word) => placeWords.has(word) || surfaceWords.has(word) || isColour(word));
}

/** Keeps the words of an earlier scene that a change does not replace, behind the words of the change. */
export function withEarlier(newer: readonly string[], earlier: readonly string[]): readonly string[] {
  if (earlier.length === 0) return newer;
  const backdropColour = newer.some(
    (word, at) => isColour(word) && newer.slice(at + 1, at + 4).some((next) => backdropNouns.has(next)),
  );
  const [place, surface] = [placeWords, surfaceWords].map((known) => newer.some((word) => known.has(word)));
  const replaces = {
    place: place || backdropColour,
    surface: surface || (backdropColour && newer.includes('white')),
    colour: newer.some(isColour) || surface || place,
  };
  const kept = earlier.filter(
    (word) =>
      !(replaces.place && placeWords.has(word) && !surfaceWords.has(word)) &&
      !(replaces.surface && surfaceWords.has(word)) &&
      !(replaces.colour && (isColour(word) || colourModifiers.has(word))),
  );
  // The gap keeps a colour of the change apart from a noun of the earlier scene.
  return [...newer, '', '', '', ...kept];
}

/**
 * The take of a changed picture: the earlier one, with what the instruction says of size, position and light.
 * @returns the same object if it says nothing of them
 */
export function changedTake(instruction: string, take: Take): Take {
  const text = instruction.toLowerCase();
  const says = (pattern: RegExp) => pattern.test(text);
  const change: Partial<Take> = {};
  if (says(/\b(smaller|further away|zoom out|more space)\b/)) change.size = take.size * 0.84;
  if (says(/\b(bigger|larger|closer|zoom in)\b/)) change.size = take.size * 1.14;
  const light = /\b(?:light|sun|lit|shadow)[a-z]* (?:[a-z]+ ){0,3}(left|right)\b/.exec(text);
  if (light !== null) {
    // A shadow falls to the other side.
    const named = light[1] === 'left' ? -1 : 1;
    change.lightSide = light[0].startsWith('shadow') ? (-named as -1 | 1) : named;
  } else if (says(/\b(move|shift|place|put)\b.* left\b/)) change.shift = take.shift - 0.09;
  else if (says(/\b(move|shift|place|put)\b.* right\b/)) change.shift = take.shift + 0.09;
  return Object.keys(change).length === 0 ? take : { ...take, ...change };
}
