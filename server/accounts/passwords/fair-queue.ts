/** Runs work when its turn comes. @param key who asks for it */
export type FairQueue = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Work that waits. */
interface Waiting {
  start(): void;
  refuse(): void;
}

/**
 * Makes a queue in which those who ask take turns, each with the oldest of its own work, so that nobody waits for all that
 * another has asked for. When it is full, whoever has most in it gives up the newest of that for one who has less: one
 * alone may fill it, and still keeps nobody out.
 * @param rule atOnce: how much runs at a time; mostWaiting: how much waits besides; refusal: what work that may not wait
 *   is refused with
 */
export function createFairQueue(rule: {
  atOnce: number;
  mostWaiting: number;
  refusal: () => Error;
}): FairQueue {
  /** By who asked, in the order of their turns; nobody is in it without something that waits. */
  const turns = new Map<string, Waiting[]>();
  let running = 0;
  let waiting = 0;

  function startNext(): void {
    const [turn] = turns;
    if (!turn || running >= rule.atOnce) return;
    const [key, own] = turn;
    const next = own.shift()!;
    waiting -= 1;
    // Behind the others until the next turn.
    turns.delete(key);
    if (own.length > 0) turns.set(key, own);
    running += 1;
    next.start();
  }

  /** Makes room for one more. @returns false when whoever asks has as much waiting as anybody */
  function makeRoom(key: string): boolean {
    if (waiting < rule.mostWaiting) return true;
    let most: Waiting[] = [];
    for (const each of turns.values()) if (each.length > most.length) most = each;
    if (most.length <= (turns.get(key)?.length ?? 0) + 1) return false;
    waiting -= 1;
    most.pop()!.refuse();
    return true;
  }

  return async (key, work) => {
    if (running < rule.atOnce) running += 1;
    else {
      if (!makeRoom(key)) throw rule.refusal();
      await new Promise<void>((resolve, reject) => {
        const own = turns.get(key) ?? [];
        own.push({ start: resolve, refuse: () => reject(rule.refusal()) });
        turns.set(key, own);
        waiting += 1;
      });
    }
    try {
      return await work();
    } finally {
      running -= 1;
      startNext();
    }
  };
}
