import { Schema } from 'mongoose';
import { type BannerRow, banners, shownAt } from '#shared/data/operator/banners.ts';
import { type Band, claimsPerPromotion, type Lane } from '#shared/platform/priorities.ts';
import { collection, updateRow } from '../collection.ts';
import { type Db, isDuplicateKey } from '../db.ts';
import { keep } from '../kept.ts';
import { number, type Row, rowOptions, text } from '../row.ts';

const queueLane = {
  /** A {@link Lane}. */
  _id: text,
  /** The turns that were claimed last in the two bands. */
  first_round: number,
  standard_round: number,
  /** Claims in the band `first` since the last one in the band `standard`. */
  passed: number,
};

/** How far a lane of the queue has come (docs/decisions/0073-fair-order.md). Absent before its first claim. */
export interface QueueLaneRow extends Row<typeof queueLane> {}

const queueLaneSchema = new Schema<QueueLaneRow>(queueLane, rowOptions);

export const queueLanes = collection<QueueLaneRow>('queue_lanes', queueLaneSchema, 'apart');

const roundOf = { first: 'first_round', standard: 'standard_round' } as const;

/** The turn that was claimed last in a band. @param lane null before the first claim */
export function currentRound(lane: QueueLaneRow | null, band: Band): number {
  return lane?.[roundOf[band]] ?? 0;
}

const all = 'all';
const keptLanes = keep<QueueLaneRow[]>(
  async (db) => queueLanes(db).find().lean(),
  () => true,
);

/** @returns how far all lanes had come a second ago at most, without those that had no claim yet: for what is shown */
export const knownLanes = (db: Db): Promise<QueueLaneRow[]> => keptLanes(db, all);

/** @returns how far a lane has come; null before its first claim */
export async function findLane(db: Db, lane: Lane): Promise<QueueLaneRow | null> {
  keptLanes.forget(db, all);
  return laneOf(await keptLanes(db, all), lane);
}

/**
 * What is asked before a new image, in one statement.
 * @returns the banner that is shown now, or null; how far a lane has come, or null before its first claim
 */
export async function findBannerAndLane(
  db: Db,
  lane: Lane,
): Promise<{ banner: BannerRow | null; lane: QueueLaneRow | null }> {
  const reading = readBannerAndLanes(db);
  keptLanes.learn(
    db,
    all,
    reading.then(({ lanes }) => lanes),
  );
  const { banner, lanes } = await reading;
  return { banner, lane: laneOf(lanes, lane) };
}

async function readBannerAndLanes(db: Db): Promise<{ banner: BannerRow | null; lanes: QueueLaneRow[] }> {
  const coll = banners(db).collection.name;
  const rows = await queueLanes(db)
    .collection.aggregate<QueueLaneRow | BannerRow>([
      { $unionWith: { coll, pipeline: [{ $match: shownAt(new Date()) }] } },
    ])
    .toArray();
  return {
    banner: rows.find((row) => 'text' in row) ?? null,
    lanes: rows.filter((row) => 'passed' in row),
  };
}

const laneOf = (lanes: readonly QueueLaneRow[], lane: Lane) => lanes.find(({ _id }) => _id === lane) ?? null;

/** Claims in one lane, in the order in which they were made. */
export interface LaneClaims {
  /** The highest turns that were claimed; 0 for none. */
  rounds: Record<Band, number>;
  /** Whether one was in the band `standard`. */
  reset: boolean;
  /** Claims in the band `first` after the last one in the band `standard`. */
  passed: number;
}

/** Counts claims. Rounds only rise, so writes of several workers may overtake each other. @returns the lane after it */
export async function countClaims(
  db: Db,
  lane: Lane,
  { rounds, reset, passed }: LaneClaims,
): Promise<QueueLaneRow> {
  for (;;) {
    try {
      const counted = await updateRow(
        queueLanes(db),
        { _id: lane },
        {
          $max: { first_round: rounds.first, standard_round: rounds.standard },
          ...(reset ? { $set: { passed } } : { $inc: { passed } }),
        },
        { upsert: true },
      );
      return counted!;
    } catch (error) {
      // A concurrent upsert inserted it.
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

/**
 * Takes the promotion that is due after enough claims in the band `first`, so that one worker makes it.
 * @returns false when none is due, or another worker has taken it
 */
export async function takePromotion(db: Db, lane: Lane): Promise<boolean> {
  const { matchedCount } = await queueLanes(db).updateOne(
    { _id: lane, passed: { $gte: claimsPerPromotion } },
    { $set: { passed: 0 } },
  );
  return matchedCount === 1;
}

/** Lowers the round of a band. @returns false when it was lower than that */
export async function lowerRound(db: Db, lane: Lane, band: Band, turns: number): Promise<boolean> {
  const field = roundOf[band];
  const { matchedCount } = await queueLanes(db).updateOne(
    { _id: lane, [field]: { $gte: turns } },
    { $inc: { [field]: -turns } },
  );
  return matchedCount === 1;
}
