/** What a description says about the camera and the placement of the products. */
import { readNegated } from './tokens.ts';

/** The camera and placement options of a description. */
export interface Framing {
  /** The product floats above the surface. */
  floating: boolean;
  /** The surface is seen from directly above. */
  topView: boolean;
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
