import { hasEnded } from '#contract';
import { usesHold } from '#shared/credits/holds.ts';
import { freeImagesKey } from '#shared/credits/ledger.ts';
import { findPendingFreeImageClaims } from '#shared/data/accounts/free-image-claims.ts';
import {
  allCreditEntries,
  type CreditEntryRow,
  findCreditEntries,
} from '#shared/data/billing/credit-entries.ts';
import { findWrongCostDays } from '#shared/data/costs/provider-costs.ts';
import type { Db } from '#shared/data/db.ts';
import { allGenerations, existingGenerations, findGenerationsById } from '#shared/data/generations/find.ts';
import { findTakes } from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { allProfiles, existingProfiles } from '#shared/data/profiles/find.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { type ImageCheck, problemOfImage } from './audit-images.ts';
import { auditProfiles } from './audit-profiles.ts';
import type { Finding } from './finding.ts';

/**
 * Recomputes every balance from the documents (docs/credits.md, "Invariants") and checks that every image that was paid
 * for is stored, and that the costs of each day are the sum of its calls. Generations that are not settled yet are findings as well, so run it when no generation is running.
 * @param images what of each image is compared with its row
 */
export async function audit(db: Db, storage: Storage, images: ImageCheck = 'length'): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const profiles of batches(allProfiles(db))) {
    findings.push(...(await auditProfiles(db, profiles)));
  }
  for await (const rows of batches(allGenerations(db))) {
    findings.push(...(await auditGenerations(db, storage, rows, images)));
  }
  for await (const entries of batches(allCreditEntries(db))) {
    findings.push(...(await auditLedger(db, entries)));
  }
  for (const { _id, pending } of await findPendingFreeImageClaims(db, new Date(), batchSize)) {
    findings.push({
      id: _id,
      problem: `${pending?.count} free images of ${pending?.profile} are not granted`,
    });
  }
  for (const { day, total, calls } of await findWrongCostDays(db)) {
    findings.push({ id: day, problem: `its calls cost ${calls} micro-dollars, but its sum is ${total}` });
  }
  return findings;
}

/** Documents whose related documents are read with one query. */
const batchSize = 100;

async function* batches<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Every ledger entry has a profile, and a generation if its key is the id of one. */
export async function auditLedger(db: Db, entries: CreditEntryRow[]): Promise<Finding[]> {
  const isAboutGeneration = ({ period, key }: CreditEntryRow) => period === null && !key.includes(':');
  const [profiles, generations] = await Promise.all([
    existingProfiles(
      db,
      entries.map((entry) => entry.profile),
    ),
    existingGenerations(
      db,
      entries.filter(isAboutGeneration).map((entry) => entry.key),
    ),
  ]);
  const findings: Finding[] = [];
  for (const entry of entries) {
    const found = (problem: string) => findings.push({ id: entry.key, problem });
    if (!profiles.has(entry.profile)) found(`a ${entry.kind} without a profile`);
    if (entry.key.startsWith('free:') && entry.key !== freeImagesKey(entry.profile)) {
      found(`free images of another seller than ${entry.profile}`);
    }
    if (isAboutGeneration(entry) && !generations.has(entry.key)) {
      found(`a ${entry.kind} without a generation`);
    }
  }
  return findings;
}

/** The kinds of ledger entries that a generation may have. */
function expectedEntries(row: GenerationRow): string[] {
  if (!hasEnded(row.state)) return [''];
  const remade = row.remake_of !== undefined;
  if (usesHold(row)) return [remade ? 'remake' : 'settle'];
  // Not counted; forfeited as well if its period was over.
  return remade ? ['release'] : ['release', 'forfeit,release'];
}

/**
 * A generation that is made again and the one that makes it name each other, and are of one seller.
 * @param related by id, what the generation names
 */
function auditRemake(row: GenerationRow, related: ReadonlyMap<string, GenerationRow>): Finding[] {
  const { _id: id, profile, remake_of: of, remade_by: by } = row;
  const problems: string[] = [];
  const original = related.get(of ?? '');
  if (of !== undefined && (original?.profile !== profile || original.remade_by !== id)) {
    problems.push(`it makes ${of} again, which does not name it`);
  }
  if (by !== undefined && related.get(by)?.remake_of !== id) {
    problems.push(`it is made again by ${by}, which does not name it`);
  }
  return problems.map((problem) => ({ id, problem }));
}

/** Checks generations, their ledger entries and files. */
export async function auditGenerations(
  db: Db,
  storage: Storage,
  rows: GenerationRow[],
  images: ImageCheck = 'length',
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const allEntries = await findCreditEntries(
    db,
    rows.map(({ _id }) => _id),
  );
  const entriesByKey = Map.groupBy(allEntries, ({ key }) => key);
  const relatedIds = rows
    .flatMap(({ remake_of: of, remade_by: by }) => [of, by])
    .filter((id) => id !== undefined);
  const related = new Map((await findGenerationsById(db, relatedIds)).map((row) => [row._id, row]));
  const sets = rows.map(({ set }) => set).filter(({ size }) => size > 1);
  const takes = await findTakes(
    db,
    sets.map(({ id }) => id),
  );
  const takesBySet = Map.groupBy(takes, (row) => row.set.id);
  for (const row of rows) {
    const found = (problem: string) => findings.push({ id: row._id, problem });
    const entries = entriesByKey.get(row._id) ?? [];
    const kinds = entries.map((entry) => entry.kind).sort();
    const expected = expectedEntries(row);
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
    const problem = await problemOfImage(storage, row, images);
    if (problem !== undefined) found(problem);
    if (row.state === 'failed' && !row.failure) found('failed without a reason');
    findings.push(...auditRemake(row, related));
    const { id, index, size } = row.set;
    if (index >= size || (index === 0) !== (id === row._id)) found(`take ${index} of ${size} of set ${id}`);
    const indexes = new Set(takesBySet.get(id)?.map((take) => take.set.index));
    if (size > 1 && indexes.size !== size) found(`its set has ${indexes.size} of ${size} generations`);
    if (!hasEnded(row.state) && !(await allStored(storage, row.photos))) found('a photo of it is missing');
  }
  return findings;
}

async function allStored(storage: Storage, files: readonly { key: string }[]): Promise<boolean> {
  for (const { key } of files) if (!(await storage.has(key))) return false;
  return true;
}
