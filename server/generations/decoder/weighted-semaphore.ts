import { AppError } from '#shared/platform/errors.ts';

/** Lets work begin while what is under way weighs no more than it may; the rest waits in the order in which it came. */
export interface WeightedSemaphore {
  /**
   * Does work when its turn comes.
   * @param weight what it takes of the whole; more than the whole counts as the whole
   * @throws Refusal UNAVAILABLE when too many wait, or its turn does not come in time
   */
  use<Result>(weight: number, work: () => Promise<Result>): Promise<Result>;
}

export interface WeightedSemaphoreOptions {
  /** Sum of the weights of all work under way, at most. */
  weight: number;
  /** Pieces of work under way at most, whatever they weigh. */
  atOnce: number;
  /** Pieces of work that wait at most. */
  mostWaiting: number;
  /** How long one waits at most, in seconds. */
  mostWaitSeconds: number;
}

/** When to try again, in seconds, for those whose turn does not come. */
const retryAfterSeconds = 10;

export function createWeightedSemaphore(options: WeightedSemaphoreOptions): WeightedSemaphore {
  const waiting: { weight: number; begin: () => void }[] = [];
  let [weightUnderWay, underWay] = [0, 0];

  const beginNext = () => {
    for (;;) {
      const next = waiting[0];
      if (!next || underWay >= options.atOnce || weightUnderWay + next.weight > options.weight) return;
      waiting.shift();
      underWay += 1;
      weightUnderWay += next.weight;
      next.begin();
    }
  };

  const turn = (weight: number) =>
    new Promise<void>((resolve, reject) => {
      const one = {
        weight,
        begin: () => {
          clearTimeout(late);
          resolve();
        },
      };
      const late = setTimeout(() => {
        waiting.splice(waiting.indexOf(one), 1);
        reject(new AppError('UNAVAILABLE', { retryAfterSeconds }));
        // Somebody lighter may stand behind it.
        beginNext();
      }, options.mostWaitSeconds * 1_000);
      waiting.push(one);
      beginNext();
    });

  return {
    async use(asked, work) {
      const weight = Math.min(asked, options.weight);
      if (waiting.length >= options.mostWaiting) throw new AppError('UNAVAILABLE', { retryAfterSeconds });
      await turn(weight);
      try {
        return await work();
      } finally {
        underWay -= 1;
        weightUnderWay -= weight;
        beginNext();
      }
    },
  };
}
