/**
 * Makes a function that runs steps, at most so many at the same time, in the order in which they came.
 * @param most steps at the same time
 */
export function inTurns(most: number): <Value>(step: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (step) => {
    if (running < most) running += 1;
    // The one that ends hands its turn over, so `running` stays.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await step();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
