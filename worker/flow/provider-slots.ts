import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '#shared/data/db.ts';
import {
  findOrCreateProviderFlow,
  knownProviderFlow,
  type ProviderFlowRow,
  replaceProviderFlow,
} from '#shared/data/queue/provider-flow.ts';
import type { Log } from '#shared/platform/log.ts';
import { type GenerationQueue, isQueueHeld, pauseQueueFor, reopenQueue } from '#shared/platform/queue.ts';
import {
  type Announcement,
  applyRateHeaders,
  type CallLimits,
  type CallState,
  countFrom,
  giveBack,
  type LimitWindow,
  take,
  waitMs,
  waitToBegin,
  withoutExpired,
} from '#shared/provider/limiter.ts';

/*
 * Slots for calls to the image provider. The limits hold for all workers: the calls of all of them are counted in one
 * document (shared/data/queue/provider-flow.ts). A job takes a slot before it claims its generation; without one it goes back to
 * its place in the queue, which is closed until there may be one (docs/decisions/0066-flow-control.md).
 */

/** A slot that a job holds. */
export interface Slot {
  /** Calls in a row that had failed when the slot was taken. */
  failuresSeen: number;
  /** Must be called before the call begins, and may have to wait. A slot without a call does not count. */
  begin(): Promise<void>;
  /** Must be called when the provider answers. @param announcement what it says about further calls */
  answered(announcement: Announcement | null): Promise<void>;
  /** Gives the slot back. Idempotent, and never fails: a slot that could not be given back ends with its lease. */
  end(): Promise<void>;
}

export interface ProviderSlots {
  /** @returns a slot, or null when none is free: the queue is closed then, and the job must go back to it */
  take(): Promise<Slot | null>;
  /** Stops renewing the slots. */
  stop(): void;
}

interface Options {
  db: Db;
  queue: GenerationQueue;
  limits: CallLimits;
  /** How long the slots of a worker that died stay taken, in ms. */
  leaseMs: number;
  window: LimitWindow;
  log: Log;
}

/** The queue is closed for at least this time, in ms, so that a few slots become free together. */
const leastClosedMs = 250;

/** For how long the queue is closed while all slots are taken, in ms, unless one is given back before. */
const fullMs = 500;

/** A call that begins later than this after its slot was taken counts from then, in ms. */
const lateMs = 250;

/** With at most this part of the announced calls left, answers are written down. */
const lowPart = 0.2;
const lowCalls = 5;

/** A change of what all workers know; `now` is the same for all changes that are written together. */
type Change = (state: CallState, now: Date) => CallState;

/** Opens the slots of a worker. */
export function openProviderSlots({ db, queue, limits, leaseMs, window, log }: Options): ProviderSlots {
  const isLimited = limits.perMinute > 0 || limits.inFlight > 0;
  const held = new Map<string, { at: Date; called: boolean; answered: boolean }>();
  const warn = (error: unknown) => log.warn({ err: error }, 'the slots of provider calls were not updated');
  const apply = serialised((changes) => writeChanges(db, limits, window, changes));

  const renewal = setInterval(() => {
    if (held.size > 0) apply((state, now) => renewed(state, held, leaseEnd(now))).catch(warn);
  }, leaseMs / 4);
  const leaseEnd = (now: Date) => new Date(now.getTime() + leaseMs);

  /** Keeps jobs in the queue until a call may begin. */
  async function close(ms: number): Promise<void> {
    if (ms <= 0) return;
    try {
      if (Number.isFinite(ms)) return await pauseQueueFor(queue, Math.max(ms, leastClosedMs));
      await pauseQueueFor(queue, fullMs);
      // A slot may have been given back before the queue was closed.
      const seen = await findOrCreateProviderFlow(db);
      const now = new Date();
      if (waitMs(withoutExpired(seen, now, window), limits, now, window) === 0) await reopen();
    } catch (error) {
      warn(error);
    }
  }

  async function reopen(): Promise<void> {
    if (!(await isQueueHeld(queue))) await reopenQueue(queue);
  }

  async function takeCounted(seen: ProviderFlowRow): Promise<Slot | null> {
    const id = randomUUID();
    let at: Date | undefined;
    let waits = 0;
    await apply((state, now) => {
      const before = waitMs(state, limits, now, window);
      at = before > 0 ? undefined : now;
      const after = at ? take(state, { _id: id, until: leaseEnd(now) }, now) : state;
      waits = at ? waitMs(after, limits, now, window) : before;
      return after;
    });
    // The job that takes the last slot closes the queue, so that no others are taken in vain.
    if (at) void close(waits);
    else await close(waits);
    return at ? countedSlot(id, at, seen.failures) : null;
  }

  function countedSlot(id: string, at: Date, failuresSeen: number): Slot {
    const slotState = { at, called: false, answered: false };
    held.set(id, slotState);
    return {
      failuresSeen,
      async begin() {
        slotState.called = true;
        while (Date.now() - slotState.at.getTime() > lateMs) {
          const from = slotState.at;
          let waits = 0;
          await apply((state, now) => {
            waits = waitToBegin(state, from, limits, now, window);
            slotState.at = waits > 0 ? from : now;
            return waits > 0 ? state : countFrom(state, from, now);
          });
          if (waits === 0) return;
          await wait(waits);
        }
      },
      async answered(announcement) {
        slotState.answered = true;
        if (announcement && isLow(announcement)) await listen(announcement, slotState.at);
      },
      async end() {
        if (!held.delete(id)) return;
        let opens = false;
        try {
          await apply((state, now) => {
            const after = giveBack(state, id, slotState.called ? undefined : slotState.at);
            opens = waitMs(state, limits, now, window) > 0 && waitMs(after, limits, now, window) === 0;
            return after;
          });
          if (opens) await reopen();
        } catch (error) {
          warn(error);
        }
      },
    };
  }

  /** Writes down what an answer says. Calls of other workers that are not answered yet are not known. */
  async function listen(announcement: Announcement, countedAt: Date): Promise<void> {
    const unanswered = [...held.values()].filter(({ called, answered }) => called && !answered).length;
    const call = { countedAt, unanswered };
    await apply((state, now) => applyRateHeaders(state, announcement, call, limits, now, window)).catch(warn);
  }

  const uncounted = (failuresSeen: number): Slot => ({
    failuresSeen,
    async begin() {},
    async answered(announcement) {
      if (announcement && isLow(announcement)) await listen(announcement, new Date());
    },
    async end() {},
  });

  return {
    async take() {
      // Without limits nothing is written.
      const seen = isLimited ? await findOrCreateProviderFlow(db) : await knownProviderFlow(db);
      if (!seen) return uncounted(0);
      const listens = seen.announced !== null && seen.announced.until > new Date();
      return isLimited || listens ? takeCounted(seen) : uncounted(seen.failures);
    },
    stop: () => clearInterval(renewal),
  };
}

function isLow({ limit, remaining }: Announcement): boolean {
  return remaining <= Math.max(lowCalls, (limit ?? 0) * lowPart);
}

function renewed(state: CallState, held: ReadonlyMap<string, unknown>, until: Date): CallState {
  return { ...state, running: state.running.map((each) => (held.has(each._id) ? { ...each, until } : each)) };
}

/** The longest wait before a change that was overtaken is tried again, in ms. */
const retryMs = 10;

/** Writes changes as one compare-and-set. */
async function writeChanges(
  db: Db,
  limits: CallLimits,
  window: LimitWindow,
  changes: readonly Change[],
): Promise<void> {
  for (;;) {
    const seen = await findOrCreateProviderFlow(db);
    const now = new Date();
    const before = withoutExpired(seen, now, window);
    const after = changes.reduce((state, change) => change(state, now), before);
    if (after === before) return;
    const { begun, running, announced } = after;
    const written = await replaceProviderFlow(db, seen.revision, {
      per_minute: limits.perMinute,
      in_flight: limits.inFlight,
      begun: [...begun],
      running: [...running],
      announced,
    });
    if (written) return;
    await wait(Math.random() * retryMs);
  }
}

/** Runs a task with all changes that have come since the last one, one task at a time. @returns a function that adds a change */
function serialised(task: (changes: readonly Change[]) => Promise<void>): (change: Change) => Promise<void> {
  let waiting: { change: Change; done: PromiseWithResolvers<void> }[] = [];
  let isRunning = false;
  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await task(batch.map(({ change }) => change));
        for (const { done } of batch) done.resolve();
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
    isRunning = false;
  }
  return (change) => {
    const done = Promise.withResolvers<void>();
    waiting.push({ change, done });
    if (!isRunning) void run();
    return done.promise;
  };
}
