import { limits } from '#contract';
import { AppError } from '#shared/platform/errors.ts';

/** How many uploads one server reads at a time, and how many may wait. */
export interface UploadSlotLimits {
  perSeller: number;
  total: number;
  waitingPerSeller: number;
  waitingTotal: number;
  /** How long an upload waits for a slot, in ms. */
  waitMs: number;
}

export const usualSlots: UploadSlotLimits = {
  perSeller: limits.uploadsOfSeller,
  total: limits.uploads,
  waitingPerSeller: limits.uploadsInLineOfSeller,
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
   * Takes a slot; waits, first come first served, while all slots of the seller or of the server are taken.
   * @param disconnected aborted when the client disconnects: it need not wait any longer
   * @throws AppError TOO_MANY_UPLOADS or UNAVAILABLE when no slot was free in time, UPLOAD_ABORTED when the client
   *   disconnected
   */
  take(sellerId: string, disconnected: AbortSignal): Promise<UploadSlot>;
}

interface WaitingUpload {
  sellerId: string;
  start(slot: UploadSlot): void;
}

const retryAfterSeconds = 10;

export function createUploadSlots(slotLimits: UploadSlotLimits): UploadSlots {
  const takenBySeller = new Map<string, number>();
  let takenTotal = 0;
  /** A Set iterates in the order of insertion, so this is a queue. */
  const queue = new Set<WaitingUpload>();

  const takenBy = (sellerId: string) => takenBySeller.get(sellerId) ?? 0;
  const hasFree = (sellerId: string) =>
    takenTotal < slotLimits.total && takenBy(sellerId) < slotLimits.perSeller;

  function occupy(sellerId: string, waited: boolean): UploadSlot {
    takenBySeller.set(sellerId, takenBy(sellerId) + 1);
    takenTotal += 1;
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      takenTotal -= 1;
      if (takenBy(sellerId) === 1) takenBySeller.delete(sellerId);
      else takenBySeller.set(sellerId, takenBy(sellerId) - 1);
      startWaiting();
    };
    return { waited, release };
  }

  function startWaiting(): void {
    for (const waiting of queue) {
      if (takenTotal >= slotLimits.total) return;
      if (hasFree(waiting.sellerId)) waiting.start(occupy(waiting.sellerId, true));
    }
  }

  /** Tells whether the seller's own uploads fill the slots, because the seller can change that. */
  function noSlot(sellerId: string): AppError {
    const own = takenBy(sellerId) >= slotLimits.perSeller;
    return new AppError(own ? 'TOO_MANY_UPLOADS' : 'UNAVAILABLE', { retryAfterSeconds });
  }

  function waitForSlot(sellerId: string, disconnected: AbortSignal): Promise<UploadSlot> {
    return new Promise<UploadSlot>((resolve, reject) => {
      const stopWaiting = () => {
        queue.delete(waiting);
        clearTimeout(timeout);
        disconnected.removeEventListener('abort', abort);
      };
      const waiting: WaitingUpload = {
        sellerId,
        start: (slot) => {
          stopWaiting();
          resolve(slot);
        },
      };
      const refuse = (error: AppError) => {
        stopWaiting();
        reject(error);
      };
      const timeout = setTimeout(() => refuse(noSlot(sellerId)), slotLimits.waitMs);
      const abort = () => refuse(new AppError('UPLOAD_ABORTED'));
      disconnected.addEventListener('abort', abort);
      queue.add(waiting);
      if (disconnected.aborted) abort();
    });
  }

  return {
    async take(sellerId, disconnected) {
      if (hasFree(sellerId)) return occupy(sellerId, false);
      let own = 0;
      for (const waiting of queue) if (waiting.sellerId === sellerId) own += 1;
      if (queue.size >= slotLimits.waitingTotal || own >= slotLimits.waitingPerSeller) throw noSlot(sellerId);
      return waitForSlot(sellerId, disconnected);
    },
  };
}
