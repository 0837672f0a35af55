/** Random numbers from a seed: the same seed gives the same numbers. */

export interface Random {
  /** A number from 0, below 1. */
  next(): number;
  /** An integer from 0, below `end`. */
  below(end: number): number;
  /** An integer from `first` to `last`, both included. */
  between(first: number, last: number): number;
  /** One of the items. */
  pick<Item>(items: readonly Item[]): Item;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** A generator of its own whose numbers do not depend on how many this one has given since. */
  fork(): Random;
}

/** @param seed an integer; the algorithm is mulberry32 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const random: Random = {
    next,
    below: (end) => Math.floor(next() * end),
    between: (first, last) => first + Math.floor(next() * (last - first + 1)),
    pick: (items) => items[Math.floor(next() * items.length)]!,
    chance: (probability) => next() < probability,
    fork: () => createRandom(Math.floor(next() * 2 ** 32)),
  };
  return random;
}
