/** The looks that a prompt asks for in the paragraph that begins with "Style:". */
import type { Film } from '../frame.ts';
import type { MoodChange } from './moods.ts';

/** What a style changes, whatever the scene is. */
export interface Style {
  light: MoodChange;
  /** Factor for the size of the products. */
  size: number;
  film: Film;
}

const plainFilm: Film = { contrast: 0, fade: 0, grain: 1 };
const plain: Style = { light: {}, size: 1, film: plainFilm };

/** Styles by the word that names them; anything else is a plain product photo. */
const styles: Readonly<Record<string, Style>> = {
  lifestyle: { light: { warmth: 0.12, hardness: 0.2, exposure: 0.06 }, size: 0.92, film: plainFilm },
  editorial: {
    light: { hardness: 0.35, backdropExposure: -0.5 },
    size: 1,
    film: { contrast: 0.5, fade: 0, grain: 1.5 },
  },
  minimal: { light: { hardness: -0.2, saturation: -0.1 }, size: 0.8, film: plainFilm },
  vintage: {
    light: { warmth: 0.5, saturation: -0.12, hardness: -0.15 },
    size: 1,
    film: { contrast: -0.3, fade: 0.07, grain: 7 },
  },
};

/** The style of a prompt. */
export function readStyle(prompt: string): Style {
  const [, paragraph = ''] = /(?:^|\n)Style: ([^\n]*)/.exec(prompt) ?? [];
  const named = paragraph.toLowerCase().match(/[a-z]+/g) ?? [];
  const name = named.find((word) => Object.hasOwn(styles, word));
  return name === undefined ? plain : styles[name]!;
}
