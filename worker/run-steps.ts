/**
 * Runs the steps of a round. One that fails, such as the queue's while the queue is away, holds up no other one.
 * @param atOnce all together, for steps that wait for somebody else; else one after the other
 * @returns what each gave
 * @throws AggregateError with the errors of the steps that failed, after the others have run
 */
export async function runSteps<Name extends string>(
  steps: Record<Name, () => Promise<number>>,
  { atOnce = false } = {},
): Promise<Record<Name, number>> {
  const errors: Error[] = [];
  const counts: [string, number][] = [];
  const run = async ([name, step]: [string, () => Promise<number>]) => {
    const count = await step().catch((cause) => {
      errors.push(new Error(`upkeep step ${name} failed: ${cause}`, { cause }));
      return 0;
    });
    counts.push([name, count]);
  };
  const all = Object.entries<() => Promise<number>>(steps);
  if (atOnce) await Promise.all(all.map(run));
  else for (const step of all) await run(step);
  if (errors.length > 0) throw new AggregateError(errors, errors.map((error) => error.message).join('; '));
  return Object.fromEntries(counts) as Record<Name, number>;
}

/**
 * Does the same with each item, several at a time. An item that fails holds up no other.
 * @param onError told of each item that failed
 * @returns how many gave true
 */
export async function forEachIsolated<Item>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<boolean>,
  onError: (error: unknown, item: Item) => void,
): Promise<number> {
  const waiting = items.values();
  let done = 0;
  const lane = async () => {
    for (const item of waiting) {
      try {
        if (await work(item)) done += 1;
      } catch (error) {
        onError(error, item);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return done;
}
