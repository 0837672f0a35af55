/** How many statements on MongoDB a list costs beside its authentication, so that none is added unnoticed. */
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type GenerationList, paths, withoutItems } from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { countStatements } from '#tests/campaigns/support/count-statements.ts';
import { insertEndedBatch, insertFinishedGenerations } from '#tests/campaigns/support/rows.ts';
import { testWithSeller } from '#tests/support/test.ts';

// Before the stack connects.
const folder = await mkdtemp(join(tmpdir(), 'packshot-list-statements-'));
countStatements(folder);

const test = testWithSeller({ workers: 0 });

/** Statements of authentication and limits, and what a server does by the clock. */
const beside = /^\w+ (?:sessions|seller_\w+|server_reports|migrations)$/;

test('a page of a list is one statement; each that needs more is named', async ({ stack, seller }) => {
  await insertFinishedGenerations(stack.db, 60, (index) => ({
    profile: seller.id,
    prompt: 'On a wooden table',
    product_name: index < 5 ? 'Zebra cup' : 'Cup',
    sku: `SKU-${index}`,
    state: 'succeeded',
    created_at: new Date(Date.UTC(2026, 10, 1) + index * 1_000),
  }));
  const batchId = await insertEndedBatch(stack.db, seller.id, 60);
  const { body: first } = await seller.request<GenerationList>(`${paths.library}?limit=10`);
  const { _id: id } = (await stack.models.generations.findOne({ profile: seller.id }).lean())!;

  /** The statements of a request, by name. */
  const statementsOf = async (path: string): Promise<string[]> => {
    const file = join(folder, String(process.pid));
    // The first one makes what is missing, and the session is known afterwards.
    expect([path, (await seller.request(path)).status]).toEqual([path, 200]);
    const before = (await readFile(file, 'utf8')).length;
    await seller.request(path);
    const lines = (await readFile(file, 'utf8')).slice(before).trim().split('\n');
    return lines
      .filter((line) => line.startsWith('mongo '))
      .map((line) => line.slice('mongo '.length))
      .filter((line) => !beside.test(line));
  };

  const one = ['find generations'];
  expect(await statementsOf(paths.generations)).toEqual(one);
  expect(await statementsOf(`${paths.generations}?project=${seller.id}`)).toEqual(one);
  expect(await statementsOf(`${paths.generations}?pending=true`)).toEqual(one);
  expect(await statementsOf(paths.generation(id))).toEqual(one);
  expect(await statementsOf(paths.library)).toEqual(one);
  expect(await statementsOf(`${paths.library}?sort=name`)).toEqual(one);
  expect(await statementsOf(`${paths.library}?limit=10&cursor=${first.nextCursor}`)).toEqual(one);
  expect(await statementsOf(`${paths.library}?state=succeeded`)).toEqual(one);
  // How many have the word is counted first, so that a page is bounded (decision 59).
  expect(await statementsOf(`${paths.library}?q=zebra`)).toEqual(['aggregate generations', ...one]);
  // Whose batch it is; then its rows, and their images.
  expect(await statementsOf(batchPaths.batches)).toEqual(['find batches']);
  // The first time has counted its files.
  expect(await statementsOf(batchPaths.batch(batchId) + withoutItems)).toEqual(['find batches']);
  expect(await statementsOf(`${batchPaths.batchItems(batchId)}?from=0`)).toEqual([
    'find batches',
    'find batch_items',
    'find generations',
  ]);
  // The projects, and what is in them.
  expect(await statementsOf(paths.projects)).toEqual(['find projects', 'aggregate generations']);
});
