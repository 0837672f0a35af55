import { describe, expect, test } from 'vitest';
import {
  bands,
  claimsPerPromotion,
  laneOf,
  lanes,
  promotedPriority,
  queuePriority,
  rangeOf,
  takenBefore,
  turnOf,
} from './priorities.ts';

describe('queuePriority', () => {
  test('a lane has its promoted jobs first, then plans that go first, then the others; batches go last', () => {
    const inOrder = lanes.flatMap((lane) => [
      promotedPriority(lane),
      queuePriority(lane, 'first', 0, 0),
      queuePriority(lane, 'first', 1e9, 1e9),
      queuePriority(lane, 'standard', 0, 0),
      queuePriority(lane, 'standard', 1e9, 1e9),
    ]);
    expect(inOrder).toEqual(inOrder.toSorted((one, other) => one - other));
    expect(new Set(inOrder).size).toBe(inOrder.length);
    // What BullMQ accepts; it takes 0 before all others.
    expect(inOrder[0]).toBeGreaterThanOrEqual(1);
    expect(inOrder.at(-1)).toBeLessThanOrEqual(2_097_151);
  });

  test("a seller's next image has its turn after the current round and after the seller's others", () => {
    for (const lane of lanes) {
      for (const band of bands) {
        const priority = queuePriority(lane, band, 40, 3);
        expect(turnOf(priority)).toEqual({ band, turn: 44 });
        expect(laneOf(priority)).toBe(lane);
      }
    }
  });

  test('the ranges of all bands are apart, and promoted jobs are in none', () => {
    const ranges = lanes.flatMap((lane) => bands.map((band) => rangeOf(lane, band)));
    for (const [index, { first, last }] of ranges.entries()) {
      expect(last).toBeGreaterThan(first);
      expect(first).toBeGreaterThan(ranges[index - 1]?.last ?? 0);
    }
    for (const lane of lanes) {
      expect(turnOf(promotedPriority(lane))).toBeNull();
      expect(laneOf(promotedPriority(lane))).toBe(lane);
    }
  });
});

test('takenBefore is the order in which images are taken, for every number of them', () => {
  for (const promoted of [0, 1, 3]) {
    for (const first of [0, 1, 4, 5, 17]) {
      for (const standard of [0, 1, 2, 9]) {
        for (let passed = 0; passed < claimsPerPromotion; passed += 1) {
          const waiting = { promoted, first, standard };
          const order = takenInOrder(waiting, passed);
          expect(
            order.map((own) => takenBefore(waiting, passed, own)),
            JSON.stringify({ waiting, passed }),
          ).toEqual(order.keys().toArray());
        }
      }
    }
  }
});

/** Takes one image after the other, and counts and promotes as workers do. */
function takenInOrder(waiting: { promoted: number; first: number; standard: number }, passedBefore: number) {
  const order: Parameters<typeof takenBefore>[2][] = [];
  const left = { ...waiting };
  let passed = passedBefore;
  let due = 0;
  const take = (kind: keyof typeof left) => {
    order.push({ band: kind === 'promoted' ? null : kind, index: waiting[kind] - left[kind] });
    left[kind] -= 1;
  };
  while (left.promoted + left.first + left.standard > 0) {
    if (left.promoted > 0) take('promoted');
    else if (due > 0 && left.standard > 0) {
      due = 0;
      take('standard');
    } else if (left.first > 0) {
      take('first');
      passed += 1;
      due = 0;
      if (passed === claimsPerPromotion) {
        passed = 0;
        due = 1;
      }
    } else {
      take('standard');
      passed = 0;
    }
  }
  return order;
}
