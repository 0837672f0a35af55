/** Faults at any step of a submit: `submit-crash.test.ts` plants the usual kinds, `submit-crash.full.test.ts` all others. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { submitForm } from '#server/generations/submit-form.ts';
import type { Db } from '#shared/data/db.ts';
import type { Accepted } from '#shared/generations/submit.ts';
import { atOnce, sampleSubmission, workerContext } from '#tests/support/credits.ts';
import { type Fault, FaultError, meetsFault, withFault } from '#tests/support/faults.ts';
import { eventually } from '#tests/support/harness.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

const rowsOfSeller = (stack: TestStack, seller: Seller) =>
  stack.models.generations.find({ profile: seller.id }).lean();

/** Expects all images of a seller to be made, counted and stored, and no folder without a row. */
export async function expectAllSucceeded(stack: TestStack, seller: Seller): Promise<void> {
  await expect
    .poll(
      async () => (await rowsOfSeller(stack, seller)).filter(({ state }) => state !== 'succeeded'),
      eventually,
    )
    .toEqual([]);
  const rows = await rowsOfSeller(stack, seller);
  await expect
    .poll(async () => (await seller.me()).subscription, eventually)
    .toMatchObject({ generationsLeft: 100 - rows.length, generationsHeld: 0 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  const all = await stack.models.generations.find().lean();
  const foldersIn = async (name: string) =>
    (await readdir(join(stack.storageFolder, name)).catch(() => [])).sort();
  expect(await foldersIn('generations')).toEqual(all.map((row) => row._id).sort());
  expect(await foldersIn('photo-sets')).toEqual([...new Set(all.map((row) => row.photo_set))].sort());
}

/**
 * Submits requests, each with a fault at its next step, and runs upkeep after each. No worker may run: it would hide what is
 * left undone. At the end one makes all images that were accepted.
 */
export async function expectAllOrNothing(
  { stack, crashableDb, seller }: { stack: TestStack; crashableDb: Db; seller: Seller },
  { kind, takes }: Pick<Fault, 'kind'> & { takes: number },
): Promise<void> {
  const context = { ...stack.server.context, db: crashableDb };
  const upkeep = workerContext(stack);
  const outcomes: string[] = [];
  let all = 0;
  // A request survives some of the faults, so only several accepted ones in a row say that there are no more steps.
  let accepted = 0;
  for (let at = 0; accepted < 4; at += 1) {
    expect(at, 'a submit has fewer steps').toBeLessThan(30);
    const submission = await sampleSubmission(stack, seller.id, { takes });
    const submit = async (): Promise<Accepted[]> => (await submitForm(context, submission)).accepted;
    const outcome = await withFault({ kind, at }, submit).then(
      (rows) => `${rows.length} accepted`,
      (error) => {
        if (!(error instanceof FaultError)) throw error;
        return error.message;
      },
    );
    accepted = outcome === `${takes} accepted` ? accepted + 1 : 0;
    await runUpkeep(upkeep, atOnce);
    const rows = await rowsOfSeller(stack, seller);
    expect(
      rows.filter(({ state }) => state !== 'queued'),
      outcome,
    ).toEqual([]);
    const made = rows.length - all;
    all = rows.length;
    expect(accepted > 0 ? [takes] : [0, takes], outcome).toContain(made);
    outcomes.push(`${outcome}: ${made} queued`);
  }
  // At least these steps: find key, find profile, insert, place hold, enqueue.
  const leastSteps = kind === 'answer-lost' ? 3 : 4;
  expect(outcomes.length - accepted, outcomes.join('\n')).toBeGreaterThanOrEqual(leastSteps);
  // Each has its hold and its photos, and no hold is left of a request that was not accepted.
  expect(await stack.audit(), outcomes.join('\n')).toEqual([]);
  const worker = await stack.startWorker();
  await expectAllSucceeded(stack, seller);
  await worker.close();
}

/**
 * Submits requests, each with a fault at its next step. When upkeep has removed what died, each is repeated by two servers at the
 * same time: its images are there once, whether the first one was accepted or not.
 */
export async function expectRepeatedOnce(
  { stack, crashableDb, seller }: { stack: TestStack; crashableDb: Db; seller: Seller },
  { kind, takes }: Pick<Fault, 'kind'> & { takes: number },
): Promise<void> {
  const { context } = stack.server;
  const other = (await stack.startServer()).context;
  const upkeep = workerContext(stack);
  let survived = 0;
  let requests = 0;
  for (let at = 0; survived < 2; at += 1) {
    expect(at, 'a submit has fewer steps').toBeLessThan(30);
    const key = `request-${at}`;
    const first = await sampleSubmission(stack, seller.id, { takes, key });
    const died = await meetsFault({ kind, at }, () => submitForm({ ...context, db: crashableDb }, first));
    survived = died ? 0 : survived + 1;
    await runUpkeep(upkeep, atOnce);
    const repeated = await Promise.all(
      [context, other].map(async (each) =>
        submitForm(each, await sampleSubmission(stack, seller.id, { takes, key })),
      ),
    );
    requests += 1;
    const ids = repeated.map(({ accepted }) => accepted.map(({ row }) => row._id));
    expect(ids[0], `${kind} at ${at}`).toHaveLength(takes);
    expect(ids[1]).toEqual(ids[0]);
    const rows = await rowsOfSeller(stack, seller);
    expect(rows.map(({ state }) => state)).toEqual(Array(requests * takes).fill('queued'));
    expect((await stack.models.profiles.findById(seller.id).lean())!.holds).toHaveLength(requests * takes);
  }
  expect(requests).toBeGreaterThan(4);
  expect(await stack.audit()).toEqual([]);
  const worker = await stack.startWorker();
  await expectAllSucceeded(stack, seller);
  await worker.close();
}
