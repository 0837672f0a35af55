/**
 * Runs the steps of a round. A step that fails does not keep the others from running.
 * @param atOnce whether to run them concurrently, for steps that wait for another service
 * @returns the count of each step
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
 * Processes items concurrently. An item that fails does not keep the others from being processed.
 * @param lanes how many items are processed at a time
 * @param onError called with each item that failed
 * @returns for how many items `work` returned true
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
