/** What `npm run explain` accepts, each with the reason. An entry that accepts nothing any more is reported. */

/** Collections that stay small, however many sellers there are: how they are read does not matter. */
export const smallCollections: Readonly<Record<string, string>> = {
  alerts: 'one document for each alert',
  audit_results: 'one document',
  banners: 'one document',
  locks: 'one document for each lock of the code',
  provider_pauses: 'one document',
  queue_lanes: 'two documents',
  file_removals: 'documents that are removed with the files that they name',
  test_file_removals: 'the same',
  seen_workers: 'one document for each worker of a day',
  server_reports: 'one document for each running process',
  storage_folders: 'one document',
  worker_slots: 'one document for each running worker',
};

const all = 'npm run audit and operators read all of it, as a stream';
const set = 'the takes of a set, at most numImages of them';
const few = 'what a search finds by a condition that few images fulfil';

/** Statements that read everything, or sort in memory. */
export const acceptedStatements: Readonly<Record<string, string>> = {
  'shared/data/profiles/find.ts find profiles {}': all,
  'shared/data/profiles/find.ts find profiles {$or}': all,
  'shared/data/generations/find.ts find generations {}': all,
  'shared/data/billing/credit-entries.ts find credit_entries {}': all,
  'shared/data/costs/provider-costs.ts find provider_costs {total}':
    'npm run audit reads all days, as a stream',
  'shared/data/generations/find.ts find generations {state, deletion} sort _id':
    'the newest 20; nearly all of those that it reads are visible',
  'shared/data/generations/receive.ts find generations {state, created_at} sort set.index':
    'those whose request is under way',
  'shared/data/generations/receive.ts find generations {photo_set, set.id} sort set.index': set,
  'shared/data/generations/find.ts find generations {photo_set, set.id, profile, state, deletion} sort set.index':
    set,
  'shared/data/generations/find.ts find generations {profile, words, $and} sort created_at,_id': few,
  'shared/data/generations/find.ts find generations {profile, words, $and} sort name_key,_id': few,
  'shared/data/generations/find.ts find generations {profile, created_at, $and} sort name_key,_id': few,
  'shared/data/generations/waiting.ts find generations {profile, state, fence, batch, deletion} sort priority,created_at,_id':
    'what one seller has in the queue, without batches: limited by the plan',
  'shared/data/accounts/users.ts find profiles {_id} sort email': 'one page of accounts, by their ids',
  'shared/data/accounts/sessions.ts find sessions {user_id, expires_at} sort last_seen_at':
    'the sessions of one seller',
  'shared/data/projects.ts find projects {profile, deletion} sort updated_at,_id':
    'the projects of one seller, at most limits.projects and those just deleted',
  'shared/data/looks.ts find looks {profile, deleted_at} sort updated_at,_id':
    'the looks of one seller, at most limits.looks and those just deleted',
  'shared/data/accounts/address-changes.ts find account_tokens {kind, expires_at, email} sort created_at':
    'the undo links to one address',
  'shared/data/operator/operators.ts find profiles {operator_since} sort email': 'the operators, who are few',
};

/** Statements that no test executes, by file and line of code. */
export const acceptedUnseen: Readonly<Record<string, string>> = {
  'shared/data/operator/audit-results.ts await auditResults(db).updateOne(': 'by _id; npm run audit',
  'shared/data/generations/find.ts return generations(db).countDocuments();': 'npm run audit counts all',
  'shared/data/profiles/find.ts return profiles(db).countDocuments();': 'npm run audit counts all',
  'shared/data/batches/items.ts await batchPhotos(db).bulkWrite(photos.map(upsert));':
    'each by _id; the driver sends it without its place',
  'shared/data/batches/items.ts await batchItems(db).bulkWrite(items.map(upsert));':
    'each by _id; the driver sends it without its place',
  'shared/data/costs/provider-costs.ts await providerCosts(db).collection.bulkWrite([':
    'each by _id; the driver sends it without its place',
  'shared/data/write-later.ts await collection(db).collection.bulkWrite(operations, { writeConcern: { w: 1 } });':
    'each by _id; the driver sends it without its place',
};
