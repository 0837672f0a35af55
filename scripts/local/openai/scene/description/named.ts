/** What the words of a description name: a surface and colours. */
import { blend, type Colour, fromHex, luminance, scale } from '../colour.ts';
import { colourModifiers, colourWords, type SurfaceLook, surfaceWordOf, surfaceWords } from './vocabulary.ts';

/** A colour, and the position of its word. */
export interface NamedColour {
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
