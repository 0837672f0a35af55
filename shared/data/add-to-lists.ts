/**
 * The `$push` or `$addToSet` of an update that adds to several lists. A list to which nothing is added is left out: servers with
 * MongoDB's protocol differ in what they do with an array of no elements.
 * @param added what is added, by the name of the list
 * @returns undefined when nothing is added to any list: MongoDB refuses an operator without fields
 */
export function eachOf(
  added: Readonly<Record<string, readonly unknown[]>>,
): Record<string, { $each: unknown[] }> | undefined {
  const lists = Object.entries(added).filter(([, items]) => items.length > 0);
  if (lists.length === 0) return undefined;
  return Object.fromEntries(lists.map(([list, items]) => [list, { $each: [...items] }]));
}
