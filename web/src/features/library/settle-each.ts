/** Requests that are under way at the same time. */
const atOnce = 6;

/**
 * Runs something for each item, a few at a time.
 * @returns what became of each, in the order of the items
 */
export async function settleEach<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = [];
  const waiting = items.entries();
  const work = async () => {
    for (const [index, item] of waiting) {
      [results[index]] = (await Promise.allSettled([run(item)])) as [PromiseSettledResult<Result>];
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
