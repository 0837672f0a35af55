import { expect, test } from 'vitest';
import { jobId } from './queue.ts';

test("a job's id is never digits only, and differs by fence", () => {
  expect(jobId({ _id: '123', fence: 0 })).not.toMatch(/^\d+$|:/);
  expect(jobId({ _id: 'a', fence: 0 })).not.toBe(jobId({ _id: 'a', fence: 1 }));
});
