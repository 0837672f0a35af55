import { z } from 'zod';
import { limits } from './limits.ts';

const invalid = 'Please enter a valid name';

/** Characters that nobody sees, or that change the direction of a text, and those without a meaning of their own. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{DI}\u2800\ufffd]/u;

/** Unseen characters that belong to names: joiners of scripts that have them, and variants of an ideograph or a symbol. */
const joiner =
  /(?<=[\p{L}\p{M}])(?<![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\u200c\u200d](?=[\p{L}\p{M}])/gu;
const variant = /(?<=[\p{Script=Han}\p{Extended_Pictographic}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** Whether a name is one line of characters that can be seen. */
export function isPlainLine(name: string): boolean {
  return !unseen.test(name.replace(joiner, '').replace(variant, ''));
}

/**
 * What mail programs and browsers make a link of. The first dot of `J.Smith` and `M.Sc` follows a single letter, so it is none,
 * unless a path follows.
 */
const addresses = [
  /@|:\/\/|\/\//,
  /(?:^|[^\p{L}\p{N}])(?:www\d*\.|(?:https?|ftp|mailto|tel|sms|javascript|data)\s*:)/iu,
  /[\p{L}\p{M}\p{N}_-]{2}\.(?:\p{L}[\p{L}\p{M}]|xn--)/iu,
  /[\p{L}\p{N}]\.\p{L}[\p{L}\p{M}]+[/?#:]/u,
  /\d+\.\d+\.\d+\.\d+/,
];

/** More digits are a telephone number. */
const digitsMost = 6;

function isName(name: string): boolean {
  if (name.length > limits.nameCharacters || !isPlainLine(name) || /[<>]/.test(name)) return false;
  // Full-width letters and the dots of other scripts are the same in an address.
  const read = name.normalize('NFKC').replace(/[。｡]/g, '.');
  if (addresses.some((address) => address.test(read))) return false;
  if ((read.match(/\p{Nd}/gu) ?? []).length > digitsMost) return false;
  // In a script without capital letters one letter can be a word.
  return /\p{Lo}/u.test(name) || (/\p{L}/u.test(name) && name.length >= 2);
}

/**
 * The name of a person or a business, in any script. It refuses what is dangerous where others read it, such as the greeting of a
 * mail: what cannot be seen, markup, addresses and telephone numbers.
 */
export const fullNameSchema = z
  .string({ error: invalid })
  // A line break or a tab is no space: it stays, and is refused.
  .overwrite((name) =>
    name
      .trim()
      .replace(/\p{Zs}+/gu, ' ')
      .normalize('NFC'),
  )
  .refine(isName, { error: invalid });
