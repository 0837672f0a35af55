/** Reads everything that the invariants are about, directly from the stores, and waits until they hold. */

import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import { hasEnded } from '#contract';
import { auditGenerations, auditLedger } from '#scripts/audit/audit.ts';
import { auditSellerBilling } from '#scripts/audit/audit-billing.ts';
import { auditProfiles } from '#scripts/audit/audit-profiles.ts';
import type { Finding } from '#scripts/audit/finding.ts';
import type { Billing } from '#shared/billing/client.ts';
import { findUnendedBatchesOf, listBatches } from '#shared/data/batches/batches.ts';
import { creditEntriesOfAll } from '#shared/data/billing/credit-entries.ts';
import { countUnhandledStripeEvents } from '#shared/data/billing/stripe-events.ts';
import type { Db } from '#shared/data/db.ts';
import { countWaitingMails } from '#shared/data/mails.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { Config } from '#shared/platform/config.ts';
import type { GenerationQueue } from '#shared/platform/queue.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { listGenerationsOf } from '#tests/campaigns/support/rows.ts';
import type { StoredFiles } from '#tests/campaigns/support/stored-files.ts';
import { type Rest, type SellerAtRest, type Submission, type Violation, violationsOf } from './invariants.ts';
import type { FoldedView } from './sellers/folded-view.ts';

/** A seller with a window, after the work. */
export interface RestingSeller {
  id: string;
  submissions: readonly Submission[];
  client: {
    readonly isConnected: boolean;
    readonly view: FoldedView;
    /** The seller comes back to the window: it may fetch what it missed. */
    shownAgain(): Promise<void>;
  };
}

/** What is read, without a proxy in between. */
export interface RestSources {
  db: Db;
  billing: Billing;
  /** It says how long an unpaid plan goes on. */
  stack: { config: Config };
  queue: GenerationQueue;
  storage: Storage;
  files: StoredFiles;
  /** Folders of the storage that were checked after earlier runs. */
  checkedFolders: Set<string>;
}

/** How often it is looked whether everything has come to rest, in ms. */
const lookEveryMs = 60;

/**
 * Waits until no rule is violated.
 * @returns what is violated when the time is over, and how long it took
 */
export async function awaitIdle(
  sources: RestSources,
  sellers: readonly RestingSeller[],
  boundMs: number,
): Promise<{ violations: Violation[]; restMs: number; rest: Rest }> {
  const began = performance.now();
  for (;;) {
    // A store that was away may refuse the first statements.
    const isQuiet = await hasComeToRest(sources, sellers).catch(() => false);
    const elapsed = performance.now() - began;
    if (isQuiet || elapsed > boundMs) {
      await Promise.allSettled(sellers.map(({ client }) => client.shownAgain()));
      const rest = await readRest(sources, sellers).catch((error) => {
        if (elapsed > boundMs) throw error;
      });
      if (!rest) continue;
      const violations = violationsOf(rest);
      const restMs = performance.now() - began;
      if (violations.length === 0 || elapsed > boundMs) return { violations, restMs, rest };
    }
    await wait(lookEveryMs);
  }
}

/** Cheap checks, before everything is read. */
async function hasComeToRest(
  { db, queue }: RestSources,
  sellers: readonly RestingSeller[],
): Promise<boolean> {
  const ids = sellers.map(({ id }) => id);
  const rows = await listGenerationsOf(db, ids);
  const waitsForPurge = rows.some(({ deletion }) => deletion && deletion.stage !== 'purged');
  if (waitsForPurge || rows.some((row) => !hasEnded(row.state) || row.settlement_due)) return false;
  if (sellers.some(({ client }) => !client.isConnected || client.view.hasPending)) return false;
  return (await jobsIn(queue)).length === 0;
}

const unfinished = ['waiting', 'active', 'delayed', 'prioritized', 'failed'] as const;

/** The jobs that are not finished, with their states. */
async function jobsIn(queue: GenerationQueue): Promise<string[]> {
  const lists = await Promise.all(
    unfinished.map(async (state) => {
      const jobs = await queue.getJobs([state]);
      return jobs.map((job) => `${state} ${job.id}, begun ${job.attemptsMade} times`);
    }),
  );
  return lists.flat();
}

/** Sellers that are compared with Stripe at the same time. */
const billingAtOnce = 16;

async function readRest(sources: RestSources, sellers: readonly RestingSeller[]): Promise<Rest> {
  const { db, queue, storage, billing, stack } = sources;
  const ids = sellers.map(({ id }) => id);
  const rows = await listGenerationsOf(db, ids);
  const entries = [];
  for await (const entry of creditEntriesOfAll(db, ids)) entries.push(entry);
  const atRest: SellerAtRest[] = [];
  for (const { id, submissions, client } of sellers) {
    const profile = await findProfile(db, id);
    if (!profile) throw new Error(`the profile of ${id} is gone`);
    const batches = [...(await listBatches(db, id)), ...(await findUnendedBatchesOf(db, [id]))];
    atRest.push({
      profile,
      rows: rows.filter((row) => row.profile === id),
      entries: entries.filter((entry) => entry.profile === id),
      submissions,
      batches: batches.map(({ _id, state }) => ({ id: _id, state })),
      view: { generations: client.view.generations, subscription: client.view.subscription },
    });
  }
  const profiles = atRest.map(({ profile }) => profile);
  const atStripe = profiles.filter(({ stripe_customer_id: customer }) => customer !== null);
  const billingFindings: Finding[] = [];
  await pLimit(billingAtOnce).map(atStripe, async (profile) => {
    const found = await auditSellerBilling(billing, profile, stack.config.billing.graceMs);
    billingFindings.push(...found);
  });
  const [profileFindings, generationFindings, ledgerFindings, events, waitingMails, jobs, files] =
    await Promise.all([
      auditProfiles(db, profiles),
      auditGenerations(db, storage, rows),
      auditLedger(db, entries),
      countUnhandledStripeEvents(db),
      countWaitingMails(db),
      jobsIn(queue),
      readFiles(sources),
    ]);
  return {
    sellers: atRest,
    files,
    jobs,
    unhandledEvents: events.count,
    waitingMails,
    audit: [...profileFindings, ...generationFindings, ...ledgerFindings, ...billingFindings],
  };
}

/** The hashes of the files of folders that were not checked before, and of unfinished ones. */
async function readFiles({ files, checkedFolders }: RestSources): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const root of ['generations', 'photo-sets']) {
    for (const name of await files.namesIn(root)) {
      const folder = `${root}/${name}`;
      if (checkedFolders.has(folder)) continue;
      for (const file of await files.namesIn(folder)) {
        const key = `${folder}/${file}`;
        // It may be removed meanwhile.
        const bytes = await files.read(key);
        if (bytes) hashes.set(key, createHash('sha256').update(bytes).digest('hex'));
      }
    }
  }
  for (const name of await files.unfinished()) hashes.set(`incoming/${name}`, '');
  return hashes;
}

/** Remembers what was checked, so that the next run reads only what is new. */
export function rememberChecked({ checkedFolders }: RestSources, { files }: Rest): void {
  for (const key of files.keys()) {
    if (!key.startsWith('incoming/')) checkedFolders.add(key.split('/').slice(0, 2).join('/'));
  }
}
