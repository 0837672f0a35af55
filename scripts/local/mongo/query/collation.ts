import { compareStrings, type StringOrder } from '../bson/compare.ts';
import { type Doc, isTruthy, type Maybe, toNumber } from '../bson/values.ts';
import { fail } from '../errors.ts';
import type { StringFold } from '../storage/key.ts';

/** How strings are compared under a collation. */
export interface Collation {
  /** Identifies the collation; equal ids mean equal behaviour. Empty: comparison by bytes. */
  id: string;
  compare: StringOrder;
  /** Maps strings that are equal under the collation to the same string; undefined for comparison by bytes. */
  fold: StringFold | undefined;
  /** The collation as `listIndexes` shows it. */
  spec: Doc | undefined;
}

/** Comparison by bytes, MongoDB's `{locale: 'simple'}`. */
export const SIMPLE: Collation = { id: '', compare: compareStrings, fold: undefined, spec: undefined };

const known = new Map<string, Collation>();
const DIACRITICS = /\p{M}/gu;

/** Parses a command's `collation`. @throws BadValue (2) for an unknown locale, FailedToParse (9) without a locale */
export function parseCollation(option: Maybe): Collation {
  if (option === undefined || option === null) return SIMPLE;
  if (!(option instanceof Map))
    fail('TypeMismatch', "BSON field 'collation' is the wrong type, expected 'object'");
  if (option.size === 0) return SIMPLE;
  const locale = option.get('locale');
  if (typeof locale !== 'string')
    fail(40414, "BSON field 'collation.locale' is missing but a required field");
  if (locale === 'simple') return SIMPLE;
  const strength = option.has('strength') ? toNumber(option.get('strength')) : 3;
  if (![1, 2, 3, 4, 5].includes(strength)) {
    fail(51024, `BSON field 'strength' value must be >= 1 and <= 5, actual value '${strength}'`);
  }
  const caseLevel = isTruthy(option.get('caseLevel'));
  const numeric = isTruthy(option.get('numericOrdering'));
  const caseFirst =
    option.get('caseFirst') === 'upper' ? 'upper' : option.get('caseFirst') === 'lower' ? 'lower' : 'off';
  const shifted = option.get('alternate') === 'shifted';
  const id = JSON.stringify([locale, strength, caseLevel, numeric, caseFirst, shifted]);
  const existing = known.get(id);
  if (existing) return existing;
  const collation = makeCollation({ id, locale, strength, caseLevel, numeric, caseFirst, shifted });
  known.set(id, collation);
  return collation;
}

interface Settings {
  id: string;
  locale: string;
  strength: number;
  caseLevel: boolean;
  numeric: boolean;
  caseFirst: 'upper' | 'lower' | 'off';
  shifted: boolean;
}

function makeCollation(settings: Settings): Collation {
  const { id, locale, strength, caseLevel, numeric, caseFirst, shifted } = settings;
  const sensitivity =
    strength === 1 ? (caseLevel ? 'case' : 'base') : strength === 2 && !caseLevel ? 'accent' : 'variant';
  let collator: Intl.Collator;
  try {
    collator = new Intl.Collator(locale.replaceAll('_', '-').split('@')[0], {
      sensitivity,
      numeric,
      caseFirst: caseFirst === 'off' ? 'false' : caseFirst,
      ignorePunctuation: shifted,
    });
  } catch {
    return fail('BadValue', `Field 'locale' is invalid in: { locale: "${locale}" }`);
  }
  const compare: StringOrder = (a, b) =>
    collator.compare(a, b) || (strength === 5 ? compareStrings(a, b) : 0);
  const spec: Doc = new Map<string, never>();
  const filled: Record<string, string | number | boolean> = {
    locale,
    caseLevel,
    caseFirst,
    strength,
    numericOrdering: numeric,
    alternate: shifted ? 'shifted' : 'non-ignorable',
    maxVariable: 'punct',
    normalization: false,
    backwards: false,
    version: '57.1',
  };
  for (const [name, value] of Object.entries(filled)) spec.set(name, value);
  return { id, compare, fold: makeFold(compare, sensitivity, locale), spec };
}

/**
 * Intl.Collator provides no sort keys, so equal strings are mapped to a common representative: first to a normalised
 * form, then, among the few strings that share it, to the first one seen that compares equal.
 */
function makeFold(compare: StringOrder, sensitivity: string, locale: string): StringFold {
  return (text) => {
    let folded = text.normalize('NFD');
    if (sensitivity === 'base' || sensitivity === 'case') folded = folded.replace(DIACRITICS, '');
    if (sensitivity === 'base' || sensitivity === 'accent') {
      folded = folded.toLocaleLowerCase(locale.split(/[_@]/)[0]).normalize('NFD');
    }
    return compare(folded, text) === 0 ? folded : text.normalize('NFD');
  };
}
