/** Matches ids that begin with a text that ends with a dot: a range, which the index of ids has. `/` follows the dot. */
export function withPrefix(prefix: string): { $gte: string; $lt: string } {
  return { $gte: prefix, $lt: `${prefix.slice(0, -1)}/` };
}
