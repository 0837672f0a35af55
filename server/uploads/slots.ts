import { type ErrorCode, limits } from '#contract';
import { serverLimits } from '#contract/server-limits.ts';
import { AppError } from '#shared/platform/errors.ts';

/** How much of one kind a server does at a time, and how much may wait. */
export interface SlotLimits {
  perOwner: number;
  total: number;
  waitingPerOwner: number;
  waitingTotal: number;
  /** How long one waits for a slot, in ms. */
  waitMs: number;
}

export const uploadSlots: SlotLimits = {
  perOwner: limits.uploadsOfSeller,
  total: limits.uploads,
  waitingPerOwner: serverLimits.uploadsInLineOfSeller,
  waitingTotal: serverLimits.uploadsInLine,
  waitMs: serverLimits.uploadLineSeconds * 1_000,
};

export const downloadSlots: SlotLimits = {
  perOwner: serverLimits.downloadsOfSeller,
  total: serverLimits.downloads,
  waitingPerOwner: serverLimits.downloadsInLineOfSeller,
  waitingTotal: serverLimits.downloadsInLine,
  waitMs: serverLimits.downloadLineSeconds * 1_000,
};

/** The right to one upload or download. */
export interface Slot {
  /** Whether it was not free at once. */
  waited: boolean;
  /** Idempotent. */
  release(): void;
}

/**
 * The slots of one server for uploads, which bound its disk space for unfinished ones, or for downloads, which bound its
 * memory for what nobody has read yet.
 */
export interface Slots {
  /**
   * Takes a slot; waits, first come first served, while all slots of the owner or of the server are taken.
   * @param owner for whom: a seller, or a network where there is no session
   * @param disconnected aborted when the client disconnects: it need not wait any longer
   * @throws AppError when no slot was free in time: the owner's refusal if the owner's own slots are taken, else UNAVAILABLE;
   *   UPLOAD_ABORTED when the client disconnected
   */
  take(owner: string, disconnected: AbortSignal): Promise<Slot>;
  /** Whether an owner's own slots are all taken, so that the next one has to wait. */
  areOwnTaken(owner: string): boolean;
}

interface Waiting {
  owner: string;
  start(slot: Slot): void;
}

const retryAfterSeconds = 10;

/** @param ownerRefusal what an owner is told whose own slots are taken, because the owner can change that */
export function createSlots(slotLimits: SlotLimits, ownerRefusal: ErrorCode): Slots {
  const takenByOwner = new Map<string, number>();
  let takenTotal = 0;
  /** A Set iterates in the order of insertion, so this is a queue. */
  const queue = new Set<Waiting>();

  const takenBy = (owner: string) => takenByOwner.get(owner) ?? 0;
  const areOwnTaken = (owner: string) => takenBy(owner) >= slotLimits.perOwner;
  const hasFree = (owner: string) => takenTotal < slotLimits.total && !areOwnTaken(owner);

  function occupy(owner: string, waited: boolean): Slot {
    takenByOwner.set(owner, takenBy(owner) + 1);
    takenTotal += 1;
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      takenTotal -= 1;
      if (takenBy(owner) === 1) takenByOwner.delete(owner);
      else takenByOwner.set(owner, takenBy(owner) - 1);
      startWaiting();
    };
    return { waited, release };
  }

  function startWaiting(): void {
    for (const waiting of queue) {
      if (takenTotal >= slotLimits.total) return;
      if (hasFree(waiting.owner)) waiting.start(occupy(waiting.owner, true));
    }
  }

  function noSlot(owner: string): AppError {
    return new AppError(areOwnTaken(owner) ? ownerRefusal : 'UNAVAILABLE', { retryAfterSeconds });
  }

  function waitForSlot(owner: string, disconnected: AbortSignal): Promise<Slot> {
    return new Promise<Slot>((resolve, reject) => {
      const stopWaiting = () => {
        queue.delete(waiting);
        clearTimeout(timeout);
        disconnected.removeEventListener('abort', abort);
      };
      const waiting: Waiting = {
        owner,
        start: (slot) => {
          stopWaiting();
          resolve(slot);
        },
      };
      const refuse = (error: AppError) => {
        stopWaiting();
        reject(error);
      };
      const timeout = setTimeout(() => refuse(noSlot(owner)), slotLimits.waitMs);
      const abort = () => refuse(new AppError('UPLOAD_ABORTED'));
      disconnected.addEventListener('abort', abort);
      queue.add(waiting);
      if (disconnected.aborted) abort();
    });
  }

  return {
    async take(owner, disconnected) {
      if (hasFree(owner)) return occupy(owner, false);
      let own = 0;
      for (const waiting of queue) if (waiting.owner === owner) own += 1;
      if (queue.size >= slotLimits.waitingTotal || own >= slotLimits.waitingPerOwner) throw noSlot(owner);
      return waitForSlot(owner, disconnected);
    },
    areOwnTaken,
  };
}
