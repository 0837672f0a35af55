/** On whose behalf a task runs, and what it takes. */
export interface Turn {
  /** Such as a seller or a network. Keys take turns. */
  key: string;
  /** Its share of the queue's weight; more than that counts as the whole. None unless given. */
  weight?: number;
  /** Aborted when nobody waits for the result any longer. A task that waits is then given up with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Runs a task when its turn comes. @throws the queue's refusal when too many tasks wait, or this one waited too long */
export type FairQueue = <Result>(turn: Turn, task: () => Promise<Result>) => Promise<Result>;

export interface FairQueueRule {
  /** Tasks that run at a time. */
  atOnce: number;
  /** Total weight of the tasks that run at a time. Any unless given. */
  weight?: number;
  /** Tasks that wait besides; and of one key, as many unless given. */
  mostWaiting: number;
  mostWaitingOfKey?: number;
  /** How long a task may wait, in seconds. Any time unless given. */
  waitSeconds?: number;
  /** The error of tasks that are refused. */
  refusal: () => Error;
}

/** A task that waits. */
interface Waiting {
  weight: number;
  start(): void;
  reject(error: unknown): void;
}

/** The tasks of a key: at least one runs or waits. */
interface Tasks {
  running: number;
  /** The oldest first. */
  waiting: Waiting[];
}

/**
 * Creates a queue in which keys take turns, each with its oldest task. The next turn has the key with the fewest running
 * tasks; of several, the one that came first or whose last task ended first. So a new key waits for no further task of a key
 * that has tasks under way, however many it has.
 *
 * When the queue is full, the newest task of the key with the most tasks is refused in favour of a key with fewer. So one
 * key may fill the queue and still keeps no other out.
 */
export function createFairQueue(rule: FairQueueRule): FairQueue {
  const { atOnce, mostWaiting, mostWaitingOfKey = mostWaiting, refusal } = rule;
  const mostWeight = rule.weight ?? Number.POSITIVE_INFINITY;
  /** By key. A key goes to the end when one of its tasks ends. */
  const tasksByKey = new Map<string, Tasks>();
  let [running, runningWeight, waiting] = [0, 0, 0];

  function tasksOf(key: string): Tasks {
    const tasks = tasksByKey.get(key) ?? { running: 0, waiting: [] };
    tasksByKey.set(key, tasks);
    return tasks;
  }

  /** The tasks of the key whose turn is next. */
  function nextInTurn(): Tasks | undefined {
    let next: Tasks | undefined;
    for (const tasks of tasksByKey.values()) {
      if (tasks.waiting.length > 0 && (!next || tasks.running < next.running)) next = tasks;
    }
    return next;
  }

  function startNext(): void {
    while (running < atOnce) {
      const [task] = nextInTurn()?.waiting ?? [];
      // A lighter task of another key waits too, so that a heavy one gets its turn.
      if (!task || runningWeight + task.weight > mostWeight) return;
      task.start();
    }
  }

  /** Makes room for one more task. @returns false when no key has more tasks than this one would have */
  function makeRoom(own: Tasks): boolean {
    if (own.waiting.length >= mostWaitingOfKey) return false;
    if (waiting < mostWaiting) return true;
    let most = own;
    for (const tasks of tasksByKey.values()) if (tasks.waiting.length > most.waiting.length) most = tasks;
    if (most.waiting.length <= own.waiting.length + 1) return false;
    most.waiting.at(-1)!.reject(refusal());
    return true;
  }

  function waitForTurn({ key, signal }: Turn, weight: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const tasks = tasksOf(key);
      const stopWaiting = () => {
        waiting -= 1;
        tasks.waiting.splice(tasks.waiting.indexOf(task), 1);
        clearTimeout(timeout);
        signal?.removeEventListener('abort', abort);
      };
      const task: Waiting = {
        weight,
        start() {
          stopWaiting();
          tasks.running += 1;
          running += 1;
          runningWeight += weight;
          resolve();
        },
        reject(error) {
          stopWaiting();
          forgetIfIdle(key, tasks);
          reject(error);
        },
      };
      const giveUp = (error: unknown) => {
        task.reject(error);
        // The next task may be lighter.
        startNext();
      };
      const abort = () => giveUp(signal?.reason);
      const timeout =
        rule.waitSeconds === undefined
          ? undefined
          : setTimeout(() => giveUp(refusal()), rule.waitSeconds * 1_000);
      signal?.addEventListener('abort', abort);
      waiting += 1;
      tasks.waiting.push(task);
      startNext();
    });
  }

  function forgetIfIdle(key: string, tasks: Tasks): void {
    if (tasks.running === 0 && tasks.waiting.length === 0) tasksByKey.delete(key);
  }

  return async (turn, task) => {
    const { key } = turn;
    turn.signal?.throwIfAborted();
    const weight = Math.min(turn.weight ?? 0, mostWeight);
    const own = tasksByKey.get(key) ?? { running: 0, waiting: [] };
    const startsNow = waiting === 0 && running < atOnce && runningWeight + weight <= mostWeight;
    if (!startsNow && !makeRoom(own)) throw refusal();
    await waitForTurn(turn, weight);
    const tasks = tasksOf(key);
    try {
      return await task();
    } finally {
      running -= 1;
      runningWeight -= weight;
      tasks.running -= 1;
      tasksByKey.delete(key);
      tasksByKey.set(key, tasks);
      forgetIfIdle(key, tasks);
      startNext();
    }
  };
}
