/**
 * What must hold after a run, when everything has come to rest. The rules are functions of the documents, files, jobs and
 * views that `readRest` collects (rest.ts), so that tests can give them broken ones.
 */
import { type GenerationView, hasEnded, type SubscriptionView } from '#contract';
import type { Finding } from '#scripts/audit/finding.ts';
import { availableImages, availablePackImages, usesHold } from '#shared/credits/holds.ts';
import { owedPack, packImagesOf } from '#shared/credits/pack-images.ts';
import type { CreditEntryRow } from '#shared/data/billing/credit-entries.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { noDailyImages } from '#shared/platform/daily-images.ts';
import { presentGeneration } from '#shared/views/generation.ts';
import { presentSubscription } from '#shared/views/subscription.ts';

/** A request for images that a seller made, and what was answered. */
export interface Submission {
  /** Its idempotency key. */
  key: string;
  images: number;
  /** Ids of the generations, of each answer that accepted it. */
  accepted: string[][];
  /** Whether it was refused; the seller then gave up. */
  refused: string | undefined;
}

/** Everything that is known about one seller of the run. */
export interface SellerAtRest {
  profile: ProfileRow;
  /** All generations, in any state, deleted ones too. */
  rows: GenerationRow[];
  entries: CreditEntryRow[];
  submissions: readonly Submission[];
  /** States of the seller's batches. */
  batches: { id: string; state: string }[];
  /** What the seller's window shows. */
  view: { generations: ReadonlyMap<string, GenerationView>; subscription: SubscriptionView | undefined };
}

export interface Rest {
  sellers: SellerAtRest[];
  /** The SHA-256 of the files of the run's generations and sets of photos, and of those that belong to nothing, by key. */
  files: ReadonlyMap<string, string>;
  /** Jobs in the queue that are not finished, with their states. */
  jobs: string[];
  unhandledEvents: number;
  waitingMails: number;
  /** Of `npm run audit`, about these sellers and their generations. */
  audit: Finding[];
}

export interface Violation {
  rule: string;
  /** Id of the seller or generation, key of the file. */
  id: string;
  problem: string;
}

type Rule = (rest: Rest) => Omit<Violation, 'rule'>[];

/** The rules by their names, in the order of the documentation (docs/chaos.md). */
export const rules: Readonly<Record<string, Rule>> = {
  balance: ({ sellers }) =>
    sellers.flatMap(({ profile }) => {
      const {
        granted,
        generations_left: left,
        free_images: free,
        settled,
        forfeited,
        refunded,
        support,
      } = profile;
      const packs = packImagesOf(profile);
      const sum = left + free.left + packs.left + settled + forfeited + refunded + support.removed;
      const problems = [];
      if (granted !== sum) problems.push(`granted ${granted}, but left, settled and forfeited are ${sum}`);
      const available = availableImages(profile);
      if (profile.returned_grant && available > 0) {
        problems.push(`the payment is returned, and ${available} of its images are left`);
      }
      const owed = owedPack(profile);
      if (owed && availablePackImages(profile) > 0) {
        problems.push(`${owed.count} images of ${owed.pack.key}, whose payment is returned, are left`);
      }
      return problems.map((problem) => ({ id: profile._id, problem }));
    }),

  ended: ({ sellers }) =>
    sellers.flatMap(({ rows, submissions, batches }) => {
      const byId = new Map(rows.map((row) => [row._id, row]));
      const accepted = submissions.flatMap(({ accepted }) => accepted.flat());
      return [
        ...accepted.filter((id) => !byId.has(id)).map((id) => ({ id, problem: 'was accepted and is gone' })),
        ...rows
          .filter(({ state }) => !hasEnded(state))
          .map(({ _id: id, state }) => ({ id, problem: `is still ${state}` })),
        ...rows
          .filter(({ settlement_due: due }) => due)
          .map(({ _id: id }) => ({ id, problem: 'is not settled' })),
        ...batches
          .filter(({ state }) => state === 'running' || state === 'receiving')
          .map(({ id, state }) => ({ id, problem: `the batch is still ${state}` })),
      ];
    }),

  'once for each key': ({ sellers }) =>
    sellers.flatMap(({ rows, submissions }) =>
      submissions.flatMap(({ key, images, accepted }) => {
        const first = rows.find((row) => row.idempotency_key === key);
        const takes = first ? rows.filter((row) => row.set.id === first._id).map(({ _id }) => _id) : [];
        const problems: string[] = [];
        if (takes.length !== 0 && takes.length !== images) {
          problems.push(`${takes.length} generations of ${images}`);
        }
        if (accepted.length > 0 && takes.length === 0) problems.push('it was accepted and has no generation');
        for (const id of new Set(accepted.flat())) {
          if (!takes.includes(id)) problems.push(`${id} was answered and belongs to another request`);
        }
        return problems.map((problem) => ({ id: key, problem }));
      }),
    ),

  'succeeded has its file': ({ sellers, files }) =>
    sellers
      .flatMap(({ rows }) => rows)
      .flatMap((row) => {
        const own = [...files.keys()].filter(
          (key) => /\/image-\d+\.png$/.test(key) && key.startsWith(`generations/${row._id}/`),
        );
        const problems: string[] = [];
        const hasImage =
          row.state === 'succeeded' && row.deletion?.stage !== 'purged' && row.deletion?.stage !== 'purging';
        const sha256 = row.image ? files.get(row.image.key) : undefined;
        if (hasImage && !sha256) problems.push(`succeeded, and there is no ${row.image?.key}`);
        if (hasImage && sha256 && sha256 !== row.image?.sha256) {
          problems.push('its image is another file than the one that was stored');
        }
        const wrong = own.filter((key) => !hasImage || key !== row.image?.key);
        for (const key of wrong) problems.push(`${row.state}, and there is ${key}`);
        return problems.map((problem) => ({ id: row._id, problem }));
      }),

  'one settle for one success': ({ sellers }) =>
    sellers.flatMap(({ rows, entries }) => {
      const settles = Map.groupBy(
        entries.filter(({ kind }) => kind === 'settle' || kind === 'remake'),
        ({ key }) => key,
      );
      const ids = new Set([...rows.map(({ _id }) => _id), ...settles.keys()]);
      return [...ids].flatMap((id) => {
        const row = rows.find(({ _id }) => _id === id);
        const count = settles.get(id)?.length ?? 0;
        const expected = row && usesHold(row) ? 1 : 0;
        if (count === expected) return [];
        return [{ id, problem: `${row?.state ?? 'no generation'}, and settled ${count} times` }];
      });
    }),

  'nothing left behind': ({ sellers, files, jobs, unhandledEvents, waitingMails }) => {
    const rows = sellers.flatMap((seller) => seller.rows);
    const folders = new Set(
      rows
        .filter(({ deletion }) => deletion?.stage !== 'purged')
        .flatMap(({ _id, photo_set: set }) => [`generations/${_id}`, `photo-sets/${set}`]),
    );
    for (const { batches } of sellers) for (const { id } of batches) folders.add(`photo-sets/${id}`);
    const strayFiles = [...files.keys()].filter(
      (key) => !folders.has(key.split('/').slice(0, 2).join('/')) || key.includes('/preview-'),
    );
    return [
      ...strayFiles.map((key) => ({ id: key, problem: 'the file belongs to nothing' })),
      ...sellers.flatMap(({ profile, batches }) =>
        profile.holds
          .filter(({ batch, waiting }) => {
            const isPaused = batches.some(({ id, state }) => id === batch && state === 'paused');
            return !(waiting && isPaused);
          })
          .map(({ generation: id }) => ({ id, problem: 'its hold was not ended' })),
      ),
      ...jobs.map((job) => ({ id: 'queue', problem: `the job is left: ${job}` })),
      ...(unhandledEvents > 0
        ? [{ id: 'Stripe', problem: `${unhandledEvents} events are not handled` }]
        : []),
      ...(waitingMails > 0 ? [{ id: 'outbox', problem: `${waitingMails} mails are not sent` }] : []),
    ];
  },

  'the view is the row': ({ sellers }) =>
    sellers.flatMap(({ profile, rows, view }) => {
      const shown = rows.filter(({ state, deletion }) => state !== 'receiving' && !deletion);
      const ids = new Set([...shown.map(({ _id }) => _id), ...view.generations.keys()]);
      const problems: Omit<Violation, 'rule'>[] = [];
      for (const id of ids) {
        const row = shown.find(({ _id }) => _id === id);
        const problem = difference(
          view.generations.get(id),
          row && hasEnded(row.state) ? presentGeneration(row, null) : undefined,
        );
        if (problem) problems.push({ id, problem });
      }
      const problem = difference(view.subscription, presentSubscription(profile, noDailyImages));
      if (problem) problems.push({ id: profile._id, problem: `subscription: ${problem}` });
      return problems;
    }),

  audit: ({ audit }) => audit,
};

/** Checks all rules. */
export function violationsOf(rest: Rest): Violation[] {
  return Object.entries(rules).flatMap(([rule, check]) => check(rest).map((found) => ({ rule, ...found })));
}

/** How a window's view differs from what the row presents, or undefined. */
function difference(view: object | undefined, row: object | undefined): string | undefined {
  if (view === undefined && row === undefined) return undefined;
  if (view === undefined) return 'the window does not show it';
  if (row === undefined) return 'the window shows it, and it is deleted or has not ended';
  const [shown, stored] = [plain(view), plain(row)];
  const fields = [...new Set([...Object.keys(shown), ...Object.keys(stored)])];
  const wrong = fields.filter((field) => JSON.stringify(shown[field]) !== JSON.stringify(stored[field]));
  if (wrong.length === 0) return undefined;
  const each = wrong.map(
    (field) => `${field} ${JSON.stringify(shown[field])}, not ${JSON.stringify(stored[field])}`,
  );
  return `the window shows ${each.join('; ')}`;
}

const plain = (value: object) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
