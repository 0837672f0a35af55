import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { changePriority, findNextWaiting, lowerPriorities } from '#shared/data/generations/waiting.ts';
import {
  countClaims,
  currentRound,
  findLane,
  type LaneClaims,
  lowerRound,
  takePromotion,
} from '#shared/data/queue/queue-lanes.ts';
import type { Log } from '#shared/platform/log.ts';
import {
  bands,
  claimsPerPromotion,
  type Lane,
  laneOf,
  lanes,
  promotedPriority,
  rangeOf,
  turnOf,
  turnsPerRebase,
} from '#shared/platform/priorities.ts';
import { changeJobPriority, type GenerationQueue } from '#shared/platform/queue.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import { announce } from '#shared/views/announce.ts';
import { createCoalescedTask } from './coalesced-task.ts';

/*
 * Keeps the order of the queue fair (docs/decisions/0073-fair-order.md): counts claims, so that new generations get their
 * turn after the current round, and promotes an image of the band `standard` after enough claims in the band `first`.
 */

interface Context {
  db: Db;
  queue: GenerationQueue;
  relay: EventRelay;
  log: Log;
}

export interface FairOrder {
  /** Counts a claim. Nothing waits for that: claims are written together, after the current write. */
  claimed(row: Pick<GenerationRow, 'fence' | 'priority'>): void;
  /** Waits for the current write. Claims that are not written yet are not counted, which delays one promotion. */
  stop(): Promise<void>;
}

const none = (): LaneClaims => ({ rounds: { first: 0, standard: 0 }, reset: false, passed: 0 });

/** Starts to count the claims of a worker. */
export function createFairOrder(context: Context): FairOrder {
  const unwritten = new Map<Lane, LaneClaims>();
  const writing = createCoalescedTask(
    async () => {
      for (const [lane, claims] of [...unwritten]) {
        unwritten.delete(lane);
        const { passed } = await countClaims(context.db, lane, claims);
        if (passed >= claimsPerPromotion && (await takePromotion(context.db, lane))) {
          await promoteNext(context, lane);
        }
      }
    },
    (error) => context.log.warn({ err: error }, 'claims were not counted for the order of the queue'),
  );
  return {
    claimed({ fence, priority }) {
      const taken = turnOf(priority);
      // A promoted one was counted when it was promoted; a later attempt is no turn of its seller.
      if (!taken || fence > 1) return;
      const lane = laneOf(priority);
      const claims = unwritten.get(lane) ?? none();
      unwritten.set(lane, claims);
      claims.rounds[taken.band] = Math.max(claims.rounds[taken.band], taken.turn);
      if (taken.band === 'first') claims.passed += 1;
      else Object.assign(claims, { reset: true, passed: 0 });
      writing.request();
    },
    stop: () => writing.stop(),
  };
}

/** Lets the next generation of the band `standard` go before all others of its lane. */
async function promoteNext(context: Context, lane: Lane): Promise<void> {
  for (;;) {
    const next = await findNextWaiting(context.db, rangeOf(lane, 'standard'));
    if (!next) return;
    const promoted = await changePriority(context.db, next, promotedPriority(lane));
    // Null: it was cancelled, moved or claimed since it was read.
    if (!promoted) continue;
    await changeJobPriority(context.queue, promoted);
    await announce(context, promoted.profile, { generation: promoted });
    return;
  }
}

/**
 * Subtracts from rounds and turns before they reach the end of their band. First the round is lowered; then a turn that is too
 * far behind it is from before that, so a crash in between is repaired by the next round of upkeep. Upkeep gives
 * jobs the priority of their rows.
 * @returns how many rounds and generations were changed
 */
export async function rebaseTurns({ db }: Pick<Context, 'db'>): Promise<number> {
  let changed = 0;
  for (const lane of lanes) {
    const progress = await findLane(db, lane);
    if (!progress) continue;
    for (const band of bands) {
      const lowered = await lowerRound(db, lane, band, turnsPerRebase);
      if (lowered) changed += 1;
      const round = currentRound(progress, band) - (lowered ? turnsPerRebase : 0);
      const { first, last } = rangeOf(lane, band);
      const late = { first: first + round + turnsPerRebase / 2, last };
      changed += await lowerPriorities(db, late, turnsPerRebase, first);
    }
  }
  return changed;
}
