import { hasEnded, liveStatuses } from '#contract';
import type { CreditEntryRow } from '#shared/data/credit-entries.ts';
import { allCreditEntries, creditEntriesOf, findCreditEntries } from '#shared/data/credit-entries.ts';
import type { Db } from '#shared/data/db.ts';
import {
  allGenerations,
  findGenerationsById,
  findUnended,
  hasGeneration,
} from '#shared/data/generations/find.ts';
import { allProfiles, hasProfile } from '#shared/data/profiles/find.ts';
import { pendingEntryLists } from '#shared/data/profiles/pending-entries.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { usesImage } from '#shared/generations/uses-image.ts';
import type { Storage } from '#shared/platform/storage.ts';

/** An inconsistency. */
export interface Finding {
  /** Id of the profile or generation, or key of the ledger entry. */
  id: string;
  problem: string;
}

/**
 * Recomputes every balance from the documents (docs/credits.md, "Invariants") and checks that every image that was paid
 * for is stored. Generations that are not settled yet are findings as well, so run it when no generation is running.
 */
export async function audit(db: Db, storage: Storage): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const profile of allProfiles(db)) {
    findings.push(
      ...(await auditBalance(db, profile)),
      ...(await auditHolds(db, profile)),
      ...auditPlan(profile),
    );
  }
  findings.push(...(await auditGenerations(db, storage)), ...(await auditLedger(db)));
  return findings;
}

/** Every ledger entry has a profile; an entry that is no grant has a generation. */
async function auditLedger(db: Db): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const entry of allCreditEntries(db)) {
    const found = (problem: string) => findings.push({ id: entry.key, problem });
    if (!(await hasProfile(db, entry.profile))) found(`a ${entry.kind} without a profile`);
    const aboutGeneration = entry.period === null && !entry.key.includes(':');
    if (aboutGeneration && !(await hasGeneration(db, entry.key))) {
      found(`a ${entry.kind} without a generation`);
    }
  }
  return findings;
}

async function auditBalance(db: Db, profile: ProfileRow): Promise<Finding[]> {
  const problems: string[] = [];
  const {
    granted,
    generations_left: left,
    settled,
    forfeited,
    settled_unlimited: unlimited,
    refunded,
  } = profile;
  if (granted !== left + settled + forfeited + refunded) {
    problems.push(
      `granted ${granted} is not left ${left} + settled ${settled} + forfeited ${forfeited} + refunded ${refunded}`,
    );
  }
  const held = sum(profile.holds.filter((hold) => hold.metered));
  if (left < held) problems.push(`left ${left} is less than held ${held}`);
  if (left < 0 || settled < 0 || forfeited < 0 || refunded < 0) problems.push('a balance is negative');

  const entries: CreditEntryRow[] = [];
  for await (const entry of creditEntriesOf(db, profile._id)) entries.push(entry);
  const posted = (kind: CreditEntryRow['kind']) => sum(entries.filter((entry) => entry.kind === kind));
  const expected = [
    ['grant', granted - unlimited],
    ['settle', settled],
    ['forfeit', forfeited],
  ] as const;
  for (const [kind, count] of expected) {
    if (posted(kind) !== count)
      problems.push(`the ledger's ${kind} entries add up to ${posted(kind)}, not ${count}`);
  }
  const netRefunded = posted('refund') - posted('reinstate');
  if (netRefunded !== refunded) {
    problems.push(`the ledger's refund and reinstate entries add up to ${netRefunded}, not ${refunded}`);
  }
  for (const [list, kind] of Object.entries(pendingEntryLists)) {
    const pendingEntries = profile[list as keyof typeof pendingEntryLists];
    if (new Set(pendingEntries.map(({ key }) => key)).size !== pendingEntries.length) {
      problems.push(`two ${kind}s have one key`);
    }
    for (const { key, count } of pendingEntries) {
      const entry = entries.find((each) => each.kind === kind && each.key === key);
      if (entry?.count !== count) problems.push(`${kind} ${key} of ${count} is not in the ledger`);
    }
  }
  const used = profile.fair_use.used;
  if (used > unlimited)
    problems.push(`fair use ${used} is more than the ${unlimited} settled without a limit`);
  return problems.map((problem) => ({ id: profile._id, problem }));
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

async function auditHolds(db: Db, profile: ProfileRow): Promise<Finding[]> {
  const findings: Finding[] = [];
  const ids = profile.holds.map((hold) => hold.generation);
  if (new Set(ids).size !== ids.length)
    findings.push({ id: profile._id, problem: 'a generation has two holds' });
  const rows = await findGenerationsById(db, ids);
  for (const id of ids) {
    const row = rows.find(({ _id }) => _id === id);
    if (!row) findings.push({ id, problem: 'a hold without a generation' });
    else if (hasEnded(row.state))
      findings.push({ id, problem: `a hold of a generation that has ${row.state}` });
  }
  const waiting = await findUnended(db, profile._id);
  for (const row of waiting.filter(({ _id }) => !ids.includes(_id))) {
    findings.push({ id: row._id, problem: `${row.state} without a hold` });
  }
  return findings;
}

/** Ledger entries of a generation that was not counted; forfeited as well if its period was over. */
const releasedKinds = ['release', 'forfeit,release'];

async function auditGenerations(db: Db, storage: Storage): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const row of allGenerations(db)) {
    const found = (problem: string) => findings.push({ id: row._id, problem });
    const entries = await findCreditEntries(db, row._id);
    const kinds = entries.map((entry) => entry.kind).sort();
    const expected = !hasEnded(row.state) ? [''] : usesImage(row) ? ['settle'] : releasedKinds;
    if (!expected.includes(kinds.join())) {
      found(
        `${row.state}${row.charged ? ' and charged' : ''}, but the ledger has ${kinds.join(' and ') || 'nothing'}`,
      );
    }
    if (entries.some((entry) => entry.count !== row.count || entry.profile !== row.profile)) {
      found('its ledger entry has another count or seller');
    }
    if (row.charged && row.state !== 'cancelled') found(`charged as cancelled, but ${row.state}`);
    if (row.settlement_due) found('it is not settled yet');
    if (row.state === 'receiving') found('its request never ended');
    if (row.state === 'succeeded' && (!row.image || !(await storage.has(row.image.key)))) {
      found('succeeded, but its image is missing');
    }
    if (row.state === 'failed' && !row.failure) found('failed without a reason');
  }
  return findings;
}

const sum = (parts: readonly { count: number }[]) => parts.reduce((total, part) => total + part.count, 0);
