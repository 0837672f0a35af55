import { describe, expect, test } from 'vitest';
import { jobId, queuePriority } from './queue.ts';

describe('queuePriority', () => {
  test('any enterprise job goes before any freelance one', () => {
    expect(queuePriority('enterprise', 1_000_000)).toBeLessThan(queuePriority('freelance', 0));
  });

  test("a seller's first job goes before another's second", () => {
    expect(queuePriority('freelance', 0)).toBeLessThan(queuePriority('freelance', 1));
    expect(queuePriority('freelance', 19)).toBeLessThan(queuePriority('freelance', 20));
  });

  test('is a priority that BullMQ accepts, and never 0, which BullMQ takes before all others', () => {
    for (const plan of ['freelance', 'enterprise'] as const) {
      for (const underWay of [0, 9_998, 9_999, 5_000_000]) {
        const priority = queuePriority(plan, underWay);
        expect(priority).toBeGreaterThanOrEqual(1);
        expect(priority).toBeLessThanOrEqual(2_097_151);
      }
    }
  });
});

test("a job's id is never digits only, and differs by fence", () => {
  expect(jobId({ _id: '123', fence: 0 })).not.toMatch(/^\d+$|:/);
  expect(jobId({ _id: 'a', fence: 0 })).not.toBe(jobId({ _id: 'a', fence: 1 }));
});
