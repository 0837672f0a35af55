/**
 * What a person says of the cutouts of ../shared/products/real, which were looked at one by one. The photographs are not in
 * the repository: these are only their names.
 */
export type Verdict =
  /** It can be used. */
  | 'good'
  /** A part that a person would miss is not there, or something is there that does not belong to the product. */
  | 'part missing'
  | 'part added'
  /** A hand holds the product, and covers some of it. */
  | 'held'
  /** The frame cuts off the product. */
  | 'cut off'
  | 'no product';

/** Photographs without an entry are not judged. The longest beginning of a name that is here counts. */
const verdicts: Readonly<Record<string, Verdict>> = {
  'backpack-dog': 'good',
  'backpack-dog-00': 'part missing',
  clothes: 'good',
  'clothes-outwear-0': 'part added',
  'clothes-skirt-0': 'cut off',
  'grey-sloth-plushie': 'good',
  grocery: 'held',
  'grocery-god-morgon-orange-juice-2': 'no product',
  'monster-toy': 'good',
  'poop-emoji': 'good',
  'poop-emoji-01': 'part missing',
};

/** The verdict on a photograph; undefined if it was not judged. */
export function verdictOn(name: string): Verdict | undefined {
  const [longest] = Object.keys(verdicts)
    .filter((beginning) => name.startsWith(beginning))
    .toSorted((first, second) => second.length - first.length);
  return longest === undefined ? undefined : verdicts[longest];
}

/** Photographs in which a hand holds the product; the rest are counted as false alarms if they are said to show one. */
export const showsHand = (name: string): boolean => verdictOn(name) === 'held' || name === 'clothes-hat-1';
