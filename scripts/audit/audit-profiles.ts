import { hasEnded, limits, liveStatuses } from '#contract';
import { freeImagesKey } from '#shared/credits/ledger.ts';
import { owedPack, packImagesOf, usesOfPacks } from '#shared/credits/pack-images.ts';
import { type CreditEntryRow, creditEntriesOfAll } from '#shared/data/billing/credit-entries.ts';
import type { Db } from '#shared/data/db.ts';
import { findGenerationsById, findUnended } from '#shared/data/generations/find.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { monthOf } from '#shared/data/profiles/holds.ts';
import { pendingEntriesOf } from '#shared/data/profiles/images.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { auditBatches, auditBatchFiles } from './audit-batches.ts';
import { auditDailyCounts } from './audit-daily-count.ts';
import type { Finding } from './finding.ts';

/** Recomputes the balances of some profiles, and checks their holds and plans. */
export async function auditProfiles(db: Db, profiles: ProfileRow[]): Promise<Finding[]> {
  const ids = profiles.map(({ _id }) => _id);
  const holds = profiles.flatMap((profile) => profile.holds.map((hold) => hold.generation));
  const [ledgers, held, unended, batches, files, dailyCounts] = await Promise.all([
    readLedgers(db, profiles),
    findGenerationsById(db, holds),
    findUnended(db, ids),
    auditBatches(db, profiles),
    auditBatchFiles(db, profiles),
    auditDailyCounts(db, profiles),
  ]);
  const rows = new Map(held.map((row) => [row._id, row]));
  return profiles.flatMap((profile) => [
    ...auditBalance(profile, ledgers.get(profile._id)!),
    ...auditFreeImages(profile),
    ...auditPacks(profile),
    ...auditRemakes(profile),
    ...auditHolds(
      profile,
      rows,
      unended.filter((row) => row.profile === profile._id),
    ),
    ...auditPlan(profile),
    ...[...batches, ...files]
      .filter(({ profile: sellerId }) => sellerId === profile._id)
      .map(({ finding }) => finding),
    ...dailyCounts.filter(({ id }) => id === profile._id),
  ]);
}

/** What the ledger says about one seller. */
interface LedgerTotals {
  /** Images posted, by kind. */
  posted: Map<CreditEntryRow['kind'], number>;
  /** The counts of the entries that the profile lists as pending, by kind and key. */
  pending: Map<string, number>;
}

const entryId = (kind: string, key: string) => `${kind} ${key}`;

/** Adds up the ledgers of sellers, without keeping their entries. */
async function readLedgers(db: Db, profiles: ProfileRow[]): Promise<Map<string, LedgerTotals>> {
  const ledgers = new Map(
    profiles.map(({ _id }) => [_id, { posted: new Map(), pending: new Map() } as LedgerTotals]),
  );
  const pending = new Set(
    profiles.flatMap((profile) => pendingEntriesOf(profile).map(({ kind, key }) => entryId(kind, key))),
  );
  for await (const { profile, kind, key, count } of creditEntriesOfAll(db, [...ledgers.keys()])) {
    const ledger = ledgers.get(profile)!;
    ledger.posted.set(kind, (ledger.posted.get(kind) ?? 0) + count);
    if (pending.has(entryId(kind, key))) ledger.pending.set(entryId(kind, key), count);
  }
  return ledgers;
}

function auditBalance(profile: ProfileRow, ledger: LedgerTotals): Finding[] {
  const problems: string[] = [];
  const {
    granted,
    generations_left: left,
    settled,
    forfeited,
    settled_unlimited: unlimited,
    refunded,
    remakes,
    free_images: { left: free },
    support,
  } = profile;
  const { bought, left: pack } = packImagesOf(profile);
  if (granted !== left + free + pack + settled + forfeited + refunded + support.removed) {
    problems.push(
      `granted ${granted} is not left ${left} + free ${free} + packs ${pack} + settled ${settled} + forfeited ${forfeited} + refunded ${refunded} + removed ${support.removed}`,
    );
  }
  const held = sum(profile.holds.filter(({ balance }) => balance === 'metered'));
  if (left < held) problems.push(`left ${left} is less than held ${held}`);
  if (left < 0 || settled < 0 || forfeited < 0 || refunded < 0) problems.push('a balance is negative');

  const posted = (kind: CreditEntryRow['kind']) => ledger.posted.get(kind) ?? 0;
  const expected = [
    ['grant', granted - unlimited - support.added - bought],
    ['pack', bought],
    ['settle', settled],
    ['forfeit', forfeited],
    ['remake', remakes.made],
    ['support-added', support.added],
    ['support-removed', support.removed],
  ] as const;
  for (const [kind, count] of expected) {
    if (posted(kind) !== count)
      problems.push(`the ledger's ${kind} entries add up to ${posted(kind)}, not ${count}`);
  }
  const netRefunded = posted('refund') - posted('reinstate');
  if (netRefunded !== refunded) {
    problems.push(`the ledger's refund and reinstate entries add up to ${netRefunded}, not ${refunded}`);
  }
  for (const [kind, entries] of Map.groupBy(pendingEntriesOf(profile), (entry) => entry.kind)) {
    if (new Set(entries.map(({ key }) => key)).size !== entries.length) {
      problems.push(`two ${kind}s have one key`);
    }
    for (const { key, count } of entries) {
      if (ledger.pending.get(entryId(kind, key)) !== count) {
        problems.push(`${kind} ${key} of ${count} is not in the ledger`);
      }
    }
  }
  const used = profile.fair_use.used;
  if (used > unlimited)
    problems.push(`fair use ${used} is more than the ${unlimited} settled without a limit`);
  return problems.map((problem) => ({ id: profile._id, problem }));
}

/** Free images are granted once, with one entry; at most those and the ones that operators gave are left or on hold. */
function auditFreeImages(profile: ProfileRow): Finding[] {
  const problems: string[] = [];
  const { _id: sellerId, free_images: free, grants, holds, support } = profile;
  const held = sum(holds.filter(({ balance }) => balance === 'free'));
  if (free.left < held) problems.push(`${free.left} free images are left, less than ${held} held`);
  const added = free.granted + support.added;
  if (free.left < 0 || free.left > added) {
    problems.push(`${free.left} free images are left of ${added}`);
  }
  if (free.due && free.granted > 0) problems.push('free images were granted, and are still due');
  const entries = grants.filter(({ key }) => key.startsWith('free:'));
  if (entries.some(({ key }) => key !== freeImagesKey(sellerId))) {
    problems.push('it has a grant of free images of another seller');
  }
  if (sum(entries) !== free.granted) {
    problems.push(`${free.granted} free images were granted, but its grants add up to ${sum(entries)}`);
  }
  return problems.map((problem) => ({ id: sellerId, problem }));
}

/** The packs add up to what was bought, no more is left or on hold than was kept, and nothing that is owed is available. */
function auditPacks(profile: ProfileRow): Finding[] {
  const problems: string[] = [];
  const { bought, left, arriving } = packImagesOf(profile);
  const packs = profile.packs ?? [];
  const held = sum(profile.holds.filter(({ balance }) => balance === 'pack'));
  if (sum(packs) !== bought)
    problems.push(`${bought} images of packs were bought, but the packs add up to ${sum(packs)}`);
  if (left < held) problems.push(`${left} images of packs are left, less than ${held} held`);
  const uses = usesOfPacks(profile);
  const kept = uses.reduce((total, { pack, missing }) => total + pack.count - missing, 0);
  if (left < 0 || left > kept || arriving < 0) problems.push(`${left} images of packs are left of ${kept}`);
  for (const { pack, missing } of uses.filter(({ pack, missing }) => missing < 0 || missing > pack.count)) {
    problems.push(`${missing} of the ${pack.count} images of ${pack.key} were taken back`);
  }
  const owed = owedPack(profile);
  if (owed && held === 0)
    problems.push(`${owed.count} images of ${owed.pack.key}, whose payment was returned, are left`);
  return problems.map((problem) => ({ id: profile._id, problem }));
}

/** Of the images that are made again at no charge, those on hold are counted in their month, and there are not too many. */
function auditRemakes({ _id: id, remakes, holds }: ProfileRow): Finding[] {
  const problems: string[] = [];
  const held = holds.filter(({ balance, at }) => balance === 'remake' && monthOf(at) === remakes.month);
  if (remakes.used < sum(held) || remakes.used > limits.remakesAMonth || remakes.made < 0) {
    problems.push(
      `${remakes.used} images made again in ${remakes.month}, ${sum(held)} of them on hold; ${remakes.made} in all`,
    );
  }
  return problems.map((problem) => ({ id, problem }));
}

/** A live plan has a subscription and a period; any other plan has neither. */
function auditPlan(profile: ProfileRow): Finding[] {
  const { subscription_status: status, subscription_id: subscription, subscription_data: details } = profile;
  const problems: string[] = [];
  if (liveStatuses.includes(status) !== (subscription !== null && details !== null)) {
    problems.push(`${status}, but ${subscription === null ? 'without' : 'with'} a subscription`);
  }
  if ((profile.grace_until !== null) !== (status === 'past_due')) {
    problems.push(`${status}, but ${profile.grace_until === null ? 'without' : 'with'} a grace period`);
  }
  return problems.map((problem) => ({ id: profile._id, problem }));
}

/**
 * Every hold belongs to a generation that has not ended, and the other way round.
 * @param rows generations by id, among them all that have a hold of the profile
 * @param unended the seller's generations that are queued or running
 */
function auditHolds(
  profile: ProfileRow,
  rows: ReadonlyMap<string, GenerationRow>,
  unended: readonly GenerationRow[],
): Finding[] {
  const findings: Finding[] = [];
  // Those of batches that wait belong to no generation yet (audit-batches.ts).
  const ids = profile.holds.filter(({ waiting }) => !waiting).map((hold) => hold.generation);
  if (new Set(ids).size !== ids.length)
    findings.push({ id: profile._id, problem: 'a generation has two holds' });
  for (const id of ids) {
    const row = rows.get(id);
    if (!row) findings.push({ id, problem: 'a hold without a generation' });
    else if (hasEnded(row.state))
      findings.push({ id, problem: `a hold of a generation that has ${row.state}` });
  }
  for (const row of unended.filter(({ _id }) => !ids.includes(_id))) {
    findings.push({ id: row._id, problem: `${row.state} without a hold` });
  }
  return findings;
}

const sum = (parts: readonly { count: number }[]) => parts.reduce((total, part) => total + part.count, 0);
