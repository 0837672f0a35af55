import type { Db } from '#shared/data/db.ts';
import { findInAnyState } from '#shared/data/generations/find.ts';
import { countInFlight, findNextOfSeller } from '#shared/data/generations/in-flight.ts';
import type { Log } from '#shared/platform/log.ts';
import { type GenerationQueue, takeUpDelayed } from '#shared/platform/queue.ts';
import { TryLater } from './attempt.ts';

/*
 * The limit of images that all workers make for one seller at the same time (docs/decisions/0073-fair-order.md). A job
 * over the limit leaves the queue for a while and holds no slot; when one of the seller's images ends, the next job returns.
 */

/** How long a job over the limit stays away if nothing brings it back, in ms. */
const awayMs = 10_000;

/** Thrown when a seller's other images reach the limit. */
export class OverSellerLimit extends TryLater {
  override name = 'OverSellerLimit';
  readonly sellerId: string;

  constructor(sellerId: string) {
    super('its seller has as many images in flight as allowed', awayMs);
    this.sellerId = sellerId;
  }
}

export interface SellerLimit {
  /**
   * Must be called before a slot is taken.
   * @returns what must be called when the job ends
   * @throws OverSellerLimit
   */
  enter(generationId: string): Promise<() => void>;
  /**
   * Must be called when a job that was over the limit has left the queue. The image that it had to wait for may have ended
   * before that, and then found no job to bring back.
   */
  hasLeft(error: OverSellerLimit): void;
  /** Whether a seller's images reach the limit now. */
  isReached(sellerId: string): Promise<boolean>;
}

interface Options {
  db: Db;
  queue: GenerationQueue;
  /** Images of one seller at the same time; 0 for no limit: then nothing is read. */
  limit: number;
  log: Log;
}

/** Opens the limit for the jobs of a worker. */
export function createSellerLimit({ db, queue, limit, log }: Options): SellerLimit {
  /** The jobs of this worker that entered, with their sellers. They need not have claimed their generation yet. */
  const own = new Map<string, string>();

  const ownOf = (sellerId: string) => [...own.values()].filter((seller) => seller === sellerId).length;

  /** Images of a seller in flight. @returns those of other workers; those of this one must be added without a pause */
  const ofOthers = (sellerId: string) => countInFlight(db, sellerId, [...own.keys()]);

  async function roomOf(sellerId: string): Promise<number> {
    const others = await ofOthers(sellerId);
    return limit - others - ownOf(sellerId);
  }

  /** Brings back the jobs that there is room for. Not awaited: if it fails, they come back by themselves. */
  async function bringBack(sellerId: string): Promise<void> {
    try {
      const room = await roomOf(sellerId);
      if (room <= 0) return;
      // Those that entered and have not claimed their generation yet are not waiting, and are no part of the room.
      const next = await findNextOfSeller(db, sellerId, room, [...own.keys()]);
      for (const row of next) await takeUpDelayed(queue, row);
    } catch (error) {
      log.warn({ err: error, profile: sellerId }, 'jobs over the limit of a seller stay away for a while');
    }
  }

  return {
    async enter(generationId) {
      if (limit === 0) return () => {};
      const row = await findInAnyState(db, generationId);
      if (!row) return () => {};
      const { profile: sellerId } = row;
      const others = await ofOthers(sellerId);
      // In one step with `own.set`, so that two jobs of this worker never take the same place.
      if (others + ownOf(sellerId) >= limit) throw new OverSellerLimit(sellerId);
      own.set(generationId, sellerId);
      return () => {
        own.delete(generationId);
        void bringBack(sellerId);
      };
    },
    hasLeft: ({ sellerId }) => void bringBack(sellerId),
    isReached: async (sellerId) => limit > 0 && (await roomOf(sellerId)) <= 0,
  };
}
