/** What a description says about the camera, the placement of the products and the style. */
import type { Film } from '../frame.ts';
import type { MoodChange } from './mood.ts';
import { readNegated } from './words.ts';

/** The camera and placement options of a description. */
export interface Framing {
  /** The product floats above the surface. */
  floating: boolean;
  /** The surface is seen from directly above. */
  topView: boolean;
  /** The product is furniture: it stands on the floor of a room, which is as large as the product needs. */
  inRoom: boolean;
  /** The product is as large as the frame allows. */
  closeUp: boolean;
  /** Each photo shows a different product, and all of them appear. Otherwise all photos show the same product. */
  severalProducts: boolean;
  /** The main light casts a sharp shadow. */
  hardShadow: boolean;
  shadowless: boolean;
}

/** Reads the framing. Options that are not mentioned are false. */
export function readFraming(prompt: string): Framing {
  const text = ` ${prompt
    .toLowerCase()
    .normalize('NFC')
    .replace(/[-\s]+/g, ' ')} `;
  const says = (pattern: RegExp): boolean => pattern.test(text);
  const negated = readNegated(prompt);
  return {
    floating:
      says(/\b(floating|levitat\w+|hovering|suspended|mid air)\b/) && !says(/\bfloating on (the )?water\b/),
    topView: says(/\b(flat ?lay|top ?view|top down|from above|overhead|bird s eye|bird’s eye|bird's eye)\b/),
    inRoom: false,
    closeUp: says(/\b(close ?up|macro|detail shot|fill(s|ing)? the frame)\b/),
    severalProducts: says(
      /\b(several|all|both|two|three|four|multiple|different|these) (of the |of these |the |my )?(products|items|pieces|articles)\b|\bproducts together\b|\b(side by side|next to each other|product (range|family|line|group)|group shot|as a (set|group|bundle|collection))\b/,
    ),
    hardShadow: says(
      /\b(hard|harsh|sharp|crisp|strong|long|dramatic) shadows?\b|\bharsh light\b|\bdirect sun(light)?\b/,
    ),
    shadowless: negated.has('shadow') || negated.has('shadows') || says(/\bshadowless\b/),
  };
}

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
    light: { warmth: 0.9, saturation: -0.12, hardness: -0.15 },
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
