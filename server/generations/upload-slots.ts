import { limits } from '#contract';
import { AppError } from '#shared/platform/errors.ts';

/** How many uploads one server reads at once, and how many wait for it. */
export interface UploadSlotLimits {
  ofSeller: number;
  ofAll: number;
  inLineOfSeller: number;
  inLine: number;
  waitMs: number;
}

export const usualSlots: UploadSlotLimits = {
  ofSeller: limits.uploadsOfSeller,
  ofAll: limits.uploads,
  inLineOfSeller: limits.uploadsInLineOfSeller,
  inLine: limits.uploadsInLine,
  waitMs: limits.uploadLineSeconds * 1_000,
};

/** A place of an upload under way. */
export interface UploadSlot {
  /** Whether it had to be waited for. */
  waited: boolean;
  /** Gives it back; once is enough. */
  leave(): void;
}

/** Places of uploads under way at this server: they bound the disk that unfinished uploads can hold. */
export interface UploadSlots {
  /**
   * Takes a place, waiting in line for one of the seller's or of the server's to come free.
   * @param gone aborted when the client has gone: it need not wait any more
   * @throws Refusal TOO_MANY_UPLOADS or UNAVAILABLE when none came free in time, UPLOAD_ABORTED when the client went
   */
  take(sellerId: string, gone: AbortSignal): Promise<UploadSlot>;
}

interface Waiting {
  sellerId: string;
  enter(slot: UploadSlot): void;
}

const retryAfterSeconds = 10;

export function createUploadSlots(bounds: UploadSlotLimits): UploadSlots {
  const taken = new Map<string, number>();
  let all = 0;
  // In the order in which they came.
  const line = new Set<Waiting>();

  const takenBy = (sellerId: string) => taken.get(sellerId) ?? 0;
  const hasRoom = (sellerId: string) => all < bounds.ofAll && takenBy(sellerId) < bounds.ofSeller;

  function occupy(sellerId: string, waited: boolean): UploadSlot {
    taken.set(sellerId, takenBy(sellerId) + 1);
    all += 1;
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      all -= 1;
      if (takenBy(sellerId) === 1) taken.delete(sellerId);
      else taken.set(sellerId, takenBy(sellerId) - 1);
      callNext();
    };
    return { waited, leave };
  }

  function callNext(): void {
    for (const waiting of line) {
      if (all >= bounds.ofAll) return;
      if (hasRoom(waiting.sellerId)) waiting.enter(occupy(waiting.sellerId, true));
    }
  }

  /** Says whose places are all taken: the seller can do something about their own. */
  function full(sellerId: string): AppError {
    const own = takenBy(sellerId) >= bounds.ofSeller;
    return new AppError(own ? 'TOO_MANY_UPLOADS' : 'UNAVAILABLE', { retryAfterSeconds });
  }

  return {
    async take(sellerId, gone) {
      if (hasRoom(sellerId)) return occupy(sellerId, false);
      let own = 0;
      for (const waiting of line) if (waiting.sellerId === sellerId) own += 1;
      if (line.size >= bounds.inLine || own >= bounds.inLineOfSeller) throw full(sellerId);
      return new Promise<UploadSlot>((resolve, reject) => {
        const end = () => {
          line.delete(waiting);
          clearTimeout(late);
          gone.removeEventListener('abort', abort);
        };
        const waiting: Waiting = {
          sellerId,
          enter: (slot) => {
            end();
            resolve(slot);
          },
        };
        const refuse = (appError: AppError) => {
          end();
          reject(appError);
        };
        const late = setTimeout(() => refuse(full(sellerId)), bounds.waitMs);
        const abort = () => refuse(new AppError('UPLOAD_ABORTED'));
        gone.addEventListener('abort', abort);
        line.add(waiting);
        if (gone.aborted) abort();
      });
    },
  };
}
