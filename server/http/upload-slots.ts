import { limits } from '#contract';
import { AppError } from '#shared/platform/errors.ts';

/** How many uploads one server reads at a time, and how many may wait. */
export interface UploadSlotLimits {
  perOwner: number;
  total: number;
  waitingPerOwner: number;
  waitingTotal: number;
  /** How long an upload waits for a slot, in ms. */
  waitMs: number;
}

export const usualSlots: UploadSlotLimits = {
  perOwner: limits.uploadsOfSeller,
  total: limits.uploads,
  waitingPerOwner: limits.uploadsInLineOfSeller,
  waitingTotal: limits.uploadsInLine,
  waitMs: limits.uploadLineSeconds * 1_000,
};

/** The right to read one upload. */
export interface UploadSlot {
  /** Whether it was not free at once. */
  waited: boolean;
  /** Idempotent. */
  release(): void;
}

/** The upload slots of one server. They bound its disk space for unfinished uploads. */
export interface UploadSlots {
  /**
   * Takes a slot; waits, first come first served, while all slots of the owner or of the server are taken.
   * @param owner who uploads: a seller, or a network where there is no session
   * @param disconnected aborted when the client disconnects: it need not wait any longer
   * @throws AppError TOO_MANY_UPLOADS or UNAVAILABLE when no slot was free in time, UPLOAD_ABORTED when the client
   *   disconnected
   */
  take(owner: string, disconnected: AbortSignal): Promise<UploadSlot>;
}

interface WaitingUpload {
  owner: string;
  start(slot: UploadSlot): void;
}

const retryAfterSeconds = 10;

export function createUploadSlots(slotLimits: UploadSlotLimits): UploadSlots {
  const takenByOwner = new Map<string, number>();
  let takenTotal = 0;
  /** A Set iterates in the order of insertion, so this is a queue. */
  const queue = new Set<WaitingUpload>();

  const takenBy = (owner: string) => takenByOwner.get(owner) ?? 0;
  const hasFree = (owner: string) => takenTotal < slotLimits.total && takenBy(owner) < slotLimits.perOwner;

  function occupy(owner: string, waited: boolean): UploadSlot {
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

  /** Tells whether the owner's own uploads fill the slots, because the owner can change that. */
  function noSlot(owner: string): AppError {
    const own = takenBy(owner) >= slotLimits.perOwner;
    return new AppError(own ? 'TOO_MANY_UPLOADS' : 'UNAVAILABLE', { retryAfterSeconds });
  }

  function waitForSlot(owner: string, disconnected: AbortSignal): Promise<UploadSlot> {
    return new Promise<UploadSlot>((resolve, reject) => {
      const stopWaiting = () => {
        queue.delete(waiting);
        clearTimeout(timeout);
        disconnected.removeEventListener('abort', abort);
      };
      const waiting: WaitingUpload = {
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
  };
}
