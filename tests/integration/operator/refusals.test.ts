/** What moderation refuses: counted by seller, shown to operators, told of, and a pause for the seller if the setting says so. */
import { expect } from 'vitest';
import {
  type ErrorReply,
  type OperatorActionList,
  type OperatorNoteList,
  type OperatorRefusedSellers,
  type OperatorSellerRefusals,
  operatorPaths,
} from '#contract';
import { claimGeneration, endRunning } from '#shared/data/generations/attempts.ts';
import { deleteGeneration } from '#shared/data/generations/library.ts';
import { insertRefusal } from '#shared/data/generations/refusals.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import { refusedImages } from '#shared/metrics/metrics.ts';
import { moderationCategory } from '#shared/metrics/moderation-category.ts';
import { evaluateAlerts } from '#shared/watch/evaluate.ts';
import { actOn, readBatch, sampleRows, uploadedBatch } from '#tests/support/batches.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { operatorOf } from '#tests/support/operator.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

const most = 3;
const test = testWithStack({
  workers: 0,
  settings: { REFUSALS_A_DAY: String(most), ALERT_REFUSALS_A_DAY: '2' },
}).extend('seller', ({ stack }) => stack.seller());

const none = { provider_status: 400, provider_code: 'moderation_blocked', provider_request_id: null };

/** Submits an image that moderation refuses. @returns its id */
async function refuse(
  stack: TestStack,
  seller: Seller,
  moderation?: { stage: 'input' | 'output' | null; categories: string[] },
): Promise<string> {
  const { id } = await seller.submit();
  const claim = await claimGeneration(stack.db, id, 60_000, 1);
  if (claim.outcome !== 'claimed') throw new Error(`not claimed: ${claim.outcome}`);
  const failure = {
    code: 'CONTENT_REFUSED',
    detail: 'refused',
    ...none,
    ...(moderation && { moderation }),
  } as const;
  const row = await endRunning(
    stack.db,
    { generationId: id, fence: claim.row.fence },
    { state: 'failed', failure },
  );
  await settleGeneration(stack.server.context, row!);
  // A settlement that is repeated counts nothing twice.
  await settleGeneration(stack.server.context, row!);
  return id;
}

const countOf = async (stage: string, category: string) =>
  (await refusedImages.get()).values.find(
    ({ labels }) => labels.stage === stage && labels.category === category,
  )?.value ?? 0;

test('operators read what was refused of a seller, by day and one by one, also of deleted images', async ({
  stack,
  seller,
}) => {
  const operator = await operatorOf(stack);
  const before = [
    await countOf('input', 'sexual'),
    await countOf('output', 'other'),
    await countOf('unknown', 'unknown'),
  ];
  const first = await refuse(stack, seller, { stage: 'input', categories: ['sexual', 'violence/graphic'] });
  const second = await refuse(stack, seller, { stage: 'output', categories: ['made-up'] });
  const third = await refuse(stack, seller);
  await deleteGeneration(stack.db, seller.id, first);
  const { body } = await operator.request<OperatorSellerRefusals>(operatorPaths.sellerRefusals(seller.id));
  expect(body.total).toBe(3);
  expect(body.refusals.map(({ id }) => id)).toEqual([third, second, first]);
  expect(body.refusals[2]).toMatchObject({ stage: 'input', categories: ['sexual', 'violence/graphic'] });
  const day = new Date().toISOString().slice(0, 10);
  expect(body.days).toEqual([
    { day, stage: null, category: null, count: 1 },
    { day, stage: 'output', category: 'made-up', count: 1 },
    { day, stage: 'input', category: 'sexual', count: 1 },
    { day, stage: 'input', category: 'violence/graphic', count: 1 },
  ]);
  // Without the seller as a label, and with categories that are known.
  expect(await countOf('input', 'sexual')).toBe(before[0]! + 1);
  expect(await countOf('output', 'other')).toBe(before[1]! + 1);
  expect(await countOf('unknown', 'unknown')).toBe(before[2]! + 1);
  expect(moderationCategory('violence/graphic')).toBe('violence');
  expectError(await operator.request(operatorPaths.sellerRefusals('5f0000000000000000000000')), 'NOT_FOUND');
});

test('sellers with many refusals are listed by their number, of 7 or 30 days', async ({ stack }) => {
  const operator = await operatorOf(stack);
  const [often, earlier] = [await stack.seller(), await stack.seller()];
  const add = (seller: Seller, count: number, daysAgo: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        insertRefusal(stack.db, {
          _id: `${seller.id}-${daysAgo}-${index}`,
          profile: seller.id,
          at: new Date(Date.now() - daysAgo * 86_400_000),
          stage: 'input',
          categories: ['hate'],
        }),
      ),
    );
  await add(often, 70, 2);
  await add(earlier, 60, 1);
  await add(earlier, 30, 20);
  await add(earlier, 90, 40);
  const top = async (days: string) => {
    const { body } = await operator.request<OperatorRefusedSellers>(`${operatorPaths.refusals}?days=${days}`);
    return body.sellers.slice(0, 2).map(({ email, refusals }) => [email, refusals]);
  };
  expect(await top('7')).toEqual([
    [often.email, 70],
    [earlier.email, 60],
  ]);
  expect(await top('30')).toEqual([
    [earlier.email, 90],
    [often.email, 70],
  ]);
  expect((await operator.request(`${operatorPaths.refusals}?days=8`)).status).toBe(400);
});

test('notes on a seller are lines of the audit log, with author and time', async ({ stack, seller }) => {
  const operator = await operatorOf(stack);
  const add = (id: string, text: string) =>
    operator.request<OperatorNoteList & ErrorReply>(operatorPaths.sellerNotes(id), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    });
  expect((await add(seller.id, 'Wrote to the seller about the scenes.')).status).toBe(200);
  const { body } = await add(seller.id, 'Answered: a misunderstanding.\nNothing more to do.');
  expect(body.notes).toMatchObject([
    { operator: operator.email, text: 'Answered: a misunderstanding.\nNothing more to do.' },
    { operator: operator.email, text: 'Wrote to the seller about the scenes.' },
  ]);
  expect((await add(seller.id, ' ')).status).toBe(400);
  expectError(await add('5f0000000000000000000000', 'Nobody'), 'NOT_FOUND');
  const log = await operator.request<OperatorActionList>(`${operatorPaths.actions}?target=${seller.id}`);
  expect(log.body.actions.map(({ newerAction, outcome }) => [newerAction, outcome])).toEqual([
    ['add-note', 'done'],
    ['add-note', 'done'],
  ]);
  const read = await operator.request<OperatorNoteList>(operatorPaths.sellerNotes(seller.id));
  expect(read.body).toEqual({ notes: body.notes });
});

test('after too many refusals in a day the seller can ask for no more until the next one, and a batch pauses', async ({
  stack,
  seller,
}) => {
  const id = await uploadedBatch(seller, await sampleRows(2));
  for (let round = 0; round < most; round += 1) await refuse(stack, seller);
  const refused = await seller.send<ErrorReply>();
  const message = expect.stringMatching(
    /^The content policy of our image service declined 3 of your images today\. To protect .* again on \w+ \d+ at 00:00 UTC\. Contact us if you think this is a mistake\.$/,
  );
  expectError(refused, 'TOO_MANY_REFUSALS', { message });
  const toMidnight = (86_400_000 - (Date.now() % 86_400_000)) / 1_000;
  expect(Math.abs(Number(refused.headers.get('retry-after')) - toMidnight)).toBeLessThan(120);
  expectError(await actOn(seller, id, 'start'), 'TOO_MANY_REFUSALS', { message });
  // Those of the day before do not count.
  await stack.models.refusals.updateMany({ profile: seller.id }, { at: new Date(Date.now() - 86_400_000) });
  expect((await actOn(seller, id, 'start')).status).toBe(200);
  await expect.poll(async () => (await readBatch(seller, id)).counts.underWay, eventually).toBe(2);
  expect((await seller.send()).status).toBe(202);
});

test('operators are told of a seller who is refused often', async ({ stack, seller }) => {
  await stack.models.refusals.deleteMany();
  for (let round = 0; round < most; round += 1) await refuse(stack, seller);
  const { db, queue, storage, relay, log, config } = stack.server.context;
  const context = { db, queue, storage, relay, log, config };
  await evaluateAlerts(context, new Date());
  expect((await stack.models.alerts.findById('seller-refused').lean())?.details).toBe(
    `Moderation refused 3 images of seller ${seller.id} today.`,
  );
});
