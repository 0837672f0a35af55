/** An installation with many sellers, images and waiting jobs, whose numbers grow together. */

import pLimit from 'p-limit';
import { sceneTemplates } from '#contract';
import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { migrations } from '#shared/data/migrations/index.ts';
import { recordDuration } from '#shared/data/queue/durations.ts';
import { reportWorker } from '#shared/data/queue/worker-slots.ts';
import { bucketOf } from '#shared/platform/histogram.ts';
import { queuePriority } from '#shared/platform/priorities.ts';
import { addJob, type GenerationQueue } from '#shared/platform/queue.ts';
import { openAccount } from '#tests/campaigns/support/accounts.ts';
import { insertFinishedGenerations, insertQueuedGenerations } from '#tests/campaigns/support/rows.ts';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';

/** The numbers at size 1; at size 1,000 each of them is 1,000 times as large. */
export const base = { rows: 1_000, sellers: 10, waiting: 100 };

/** Images that are being made, whatever the size. */
export const slots = 16;

/** A seller, and what a window of theirs asks with. */
interface FilledSeller {
  id: string;
  token: string;
}

export interface Filled {
  /** Has as many images as most sellers, whatever the size. */
  usual: FilledSeller;
  /** Has a tenth of all images that have ended. */
  large: FilledSeller;
  /** The last image of the usual seller that waits: at the end of the line. */
  last: GenerationRow;
}

/** Accounts and jobs that are made at the same time. */
const atOnce = 32;
/** One seller in ten has the plan that goes first. */
const planOf = (seller: number) => (seller % 10 === 0 ? 'enterprise' : 'freelance');
const bandOf = (seller: number) => (seller % 10 === 0 ? 'first' : 'standard');
/** One image in ten is the large seller's. */
const ofLarge = 10;

/** Fills an installation that has nothing yet. As many images wait for each seller, and each that waits has its job. */
export async function fill(stack: CampaignStack, queue: GenerationQueue, size: number): Promise<Filled> {
  const { db } = stack;
  const sellers: FilledSeller[] = Array.from({ length: base.sellers * size });
  await pLimit(atOnce).map(sellers.keys(), async (index) => {
    sellers[index] = await openAccount(stack, planOf(index));
  });
  const [large, ...others] = sellers as [FilledSeller, ...FilledSeller[]];
  const waiting = base.waiting * size;
  const began = Date.now() - 3_600_000;
  await insertFinishedGenerations(db, base.rows * size - waiting, (index) => {
    const other = others[(index - Math.floor(index / ofLarge)) % others.length]!;
    return {
      profile: index % ofLarge === 0 ? large.id : other.id,
      prompt: `${sceneTemplates[index % sceneTemplates.length]}: warm light, a linen cloth and two leaves`,
      product_name: `Mug ${index % 500}`,
      sku: `SKU-${index}`,
      state: index % 50 === 3 ? 'failed' : 'succeeded',
      created_at: new Date(began - index * 1_000),
    };
  });
  const rows = await addWaiting(
    db,
    queue,
    Array.from({ length: waiting }, (_, index) => {
      const seller = index % sellers.length;
      const turn = Math.floor(index / sellers.length);
      return {
        profile: sellers[seller]!.id,
        prompt: 'Product on Wooden Table: in the morning',
        priority: queuePriority('single', bandOf(seller), 0, turn),
        created_at: new Date(began + index),
      };
    }),
  );
  await makeTimesKnown(stack);
  const usual = sellers.at(-1)!;
  return { usual, large, last: rows.findLast(({ profile }) => profile === usual.id)! };
}

/** Adds images that wait, with their jobs. @returns their rows */
export async function addWaiting(
  db: Db,
  queue: GenerationQueue,
  generations: Parameters<typeof insertQueuedGenerations>[1],
): Promise<GenerationRow[]> {
  const rows = await insertQueuedGenerations(db, generations);
  await pLimit(atOnce).map(rows, (row) => addJob(queue, row));
  return rows;
}

/** Reports a worker and durations of images, so that those that wait have an estimate. */
async function makeTimesKnown({ config, db }: CampaignStack): Promise<void> {
  const kind = { model: config.image.model, size: '1024x1024', quality: 'high' } as const;
  for (let image = 0; image < 20; image += 1) await recordDuration(db, kind, bucketOf(30_000));
  const now = new Date();
  const report = {
    version: 'bench',
    last_migration: migrations.at(-1)!.name,
    host: 'bench',
    pid: 0,
    started_at: now,
    reported_at: now,
    problems: [],
  };
  await reportWorker(db, 'bench', { slots, running: [], report }, 3_600_000);
}
