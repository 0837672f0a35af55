/** Runs a task when its turn comes. @param key on whose behalf */
export type FairQueue = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>;

/** A task that waits. */
interface Waiting {
  start(): void;
  reject(): void;
}

/**
 * Creates a queue in which keys take turns (round-robin), each with its oldest task, so that no key waits for all tasks of
 * another. When the queue is full, the newest task of the key with the most tasks is rejected in favour of a key with
 * fewer. So one key may fill the queue and still keeps no other out.
 * @param rule atOnce: tasks that run at a time; mostWaiting: tasks that wait besides; refusal: the error of rejected tasks
 */
export function createFairQueue(rule: {
  atOnce: number;
  mostWaiting: number;
  refusal: () => Error;
}): FairQueue {
  /** Waiting tasks by key, in the order of the keys' turns. Every key has at least one. */
  const turns = new Map<string, Waiting[]>();
  let running = 0;
  let waiting = 0;

  function startNext(): void {
    const [turn] = turns;
    if (!turn || running >= rule.atOnce) return;
    const [key, own] = turn;
    const next = own.shift()!;
    waiting -= 1;
    // The key goes to the end until its next turn.
    turns.delete(key);
    if (own.length > 0) turns.set(key, own);
    running += 1;
    next.start();
  }

  /** Makes room for one more task. @returns false when no key has more tasks than this one would have */
  function makeRoom(key: string): boolean {
    if (waiting < rule.mostWaiting) return true;
    let most: Waiting[] = [];
    for (const each of turns.values()) if (each.length > most.length) most = each;
    if (most.length <= (turns.get(key)?.length ?? 0) + 1) return false;
    waiting -= 1;
    most.pop()!.reject();
    return true;
  }

  return async (key, task) => {
    if (running < rule.atOnce) running += 1;
    else {
      if (!makeRoom(key)) throw rule.refusal();
      await new Promise<void>((resolve, reject) => {
        const own = turns.get(key) ?? [];
        own.push({ start: resolve, reject: () => reject(rule.refusal()) });
        turns.set(key, own);
        waiting += 1;
      });
    }
    try {
      return await task();
    } finally {
      running -= 1;
      startNext();
    }
  };
}
