/** Limits of which a server takes several requests in one statement. */
import { expect } from 'vitest';
import { createRateLimit } from '#server/http/rate-limit.ts';
import { connectDb } from '#shared/data/connect.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 });

const [points, atOnce] = [40, 10];
const rule = { name: 'limit_in_advance', points, seconds: 3_600, remembered: true, atOnce };

test('of a limit that is no multiple, all requests are admitted', async ({ stack }) => {
  const limit = createRateLimit(stack.db, { ...rule, name: 'limit_of_seven', points: 7, atOnce: 5 });
  const admitted: boolean[] = [];
  for (let index = 0; index < 8; index += 1) admitted.push(await limit.allows('alone'));
  expect(admitted).toEqual([...Array(7).fill(true), false]);
});

test('two servers together admit no more than the limit, and one of them alone exactly that', async ({
  stack,
  onTestFinished,
}) => {
  const other = await connectDb(stack.config.mongodbUrl);
  onTestFinished(() => other.close());
  const [one, two] = [createRateLimit(stack.db, rule), createRateLimit(other, rule)];
  const admitted = async (requests: Promise<boolean>[]) =>
    (await Promise.all(requests)).filter(Boolean).length;
  const many = Array.from({ length: points * 2 });

  // At the same time, so that they wait for the same statement.
  expect(await admitted(many.map(() => one.allows('alone')))).toBe(points);
  expect(await one.allows('alone')).toBe(false);
  expect(await two.allows('alone')).toBe(false);

  // The second one has taken ten and used one.
  expect(await two.allows('shared')).toBe(true);
  expect(await admitted(many.map(() => one.allows('shared')))).toBe(points - atOnce);
  expect(await admitted(many.map(() => two.allows('shared')))).toBe(atOnce - 1);
  expect(await one('other')).toMatchObject({ requests: points - 1 });
  expect(await one('other')).toMatchObject({ requests: points - 2 });
});
