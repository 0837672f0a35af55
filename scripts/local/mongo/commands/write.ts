import { ObjectId } from 'bson';
import { encode } from '../bson/encode.ts';
import type { Doc, Maybe, Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { type Filter, parseFilter } from '../query/filter.ts';
import type { MatchPosition } from '../query/path.ts';
import { parseSort, type SortField } from '../query/sort.ts';
import type { Catalog } from '../storage/catalog.ts';
import type { Collection, Stored } from '../storage/collection.ts';
import { parseHint } from '../storage/plan.ts';
import { findDocuments, type Search } from '../storage/scan.ts';
import { applyUpdate, makeUpserted, store, withIdFirst } from '../update/apply.ts';
import { parseUpdate, type Update } from '../update/parse.ts';
import { checkStorable } from '../update/target.ts';
import { wrongType } from './context.ts';

/** An update of one or all documents that match a filter. */
interface UpdateStatement {
  filter: Doc;
  update: Maybe;
  multi: boolean;
  upsert: boolean;
  sort?: Maybe;
  hint?: Maybe;
}

/** The result of an update. */
interface UpdateResult {
  matched: number;
  modified: number;
  /** The inserted document, when nothing matched. */
  upserted: Doc | undefined;
  /** The single document before and after the update; undefined for updates of many documents. */
  before: Stored | undefined;
  after: Stored | undefined;
}

/** Where a statement writes; the collection may not exist yet. */
export interface Target {
  catalog: Catalog;
  database: string;
  name: string;
}

/** Inserts a document and generates an `_id` if it has none. `raw`: its bytes, if it was received encoded. */
export function insertDocument(
  { catalog, database, name }: Target,
  document: Doc,
  raw: Buffer | undefined,
): Stored {
  let prepared = document;
  const firstIsId = document.keys().next().value === '_id';
  if (!firstIsId) prepared = withIdFirst(document, new ObjectId());
  checkStorable(prepared);
  const bytes = raw && firstIsId ? Buffer.from(raw) : encode(prepared);
  return catalog.findOrCreate(database, name).insert(prepared, bytes);
}

/** Runs one update statement. */
export function runUpdate(target: Target, statement: UpdateStatement): UpdateResult {
  const collection = target.catalog.find(target.database, target.name);
  const update = parseUpdate(statement.update);
  if (statement.multi && update.kind === 'replace') {
    fail('FailedToParse', 'multi update is not supported for replacement-style update');
  }
  const sort = parseSort(statement.sort);
  if (statement.multi && sort.length > 0) fail('FailedToParse', 'Cannot specify sort with multi=true');
  const filter = parseFilter(statement.filter);
  const search: Search = {
    filter,
    sort,
    hint: parseHint(statement.hint, collection),
    skip: 0,
    limit: statement.multi ? 0 : 1,
  };
  const found = collection ? [...findDocuments(collection, search)] : [];
  if (found.length === 0) return statement.upsert ? upsert(target, filter, update) : emptyResult();
  const result = emptyResult();
  for (const before of found) {
    const after = changeStored(collection!, before, filter, update);
    result.matched++;
    if (after !== before) result.modified++;
    if (!statement.multi) Object.assign(result, { before, after });
  }
  return result;
}

function emptyResult(): UpdateResult {
  return { matched: 0, modified: 0, upserted: undefined, before: undefined, after: undefined };
}

function changeStored(collection: Collection, stored: Stored, filter: Filter, update: Update): Stored {
  const position: MatchPosition = { index: -1 };
  const positional = update.kind === 'modify' && update.changes.some(({ parts }) => parts.includes('$'));
  if (positional) filter.matches(stored.document, position);
  const { document, bytes } = store(applyUpdate(stored.document, update, position.index));
  if (bytes.equals(stored.bytes)) return stored;
  return collection.replace(stored, document, bytes);
}

function upsert(target: Target, filter: Filter, update: Update): UpdateResult {
  const document = makeUpserted(filter.nodes, update);
  const after = insertDocument(target, document, undefined);
  return { ...emptyResult(), upserted: after.document, after };
}

/** Deletes one or all documents that match a filter. @returns the deleted documents */
export function runDelete(
  target: Target,
  statement: {
    filter: Doc;
    limit: 0 | 1;
    sort?: Maybe;
    hint?: Maybe;
  },
): Stored[] {
  const collection = target.catalog.find(target.database, target.name);
  const filter = parseFilter(statement.filter);
  const sort: SortField[] = parseSort(statement.sort);
  const hint = parseHint(statement.hint, collection);
  if (!collection) return [];
  const found = [...findDocuments(collection, { filter, sort, hint, skip: 0, limit: statement.limit })];
  for (const stored of found) collection.remove(stored);
  return found;
}

/** The entries in a write command's list of statements. @throws TypeMismatch (14), InvalidLength (16) */
export function statementsIn(command: Doc, field: string, owner: string): Doc[] {
  const list = command.get(field);
  if (list === undefined) fail(40414, `BSON field '${owner}.${field}' is missing but a required field`);
  if (!Array.isArray(list)) wrongType(`${owner}.${field}`, list, "type 'array'");
  if (list.length === 0 || list.length > 100_000) {
    fail('InvalidLength', `Write batch sizes must be between 1 and 100000. Got ${list.length} operations.`);
  }
  for (const [at, entry] of list.entries()) {
    if (!(entry instanceof Map)) wrongType(`${owner}.${field}.${at}`, entry, "type 'object'");
  }
  return list as Value[] as Doc[];
}
