import { equalValues } from '../bson/compare.ts';
import { BSON_UNDEFINED, type Doc, isNumeric, showDocument, toNumber, type Value } from '../bson/values.ts';
import { CODES, fail, MongoServerError } from '../errors.ts';
import { type Filter, parseFilter } from '../query/filter.ts';
import { anyAt, collectAt, type Path, splitPath } from '../query/path.ts';
import { encodeKey } from './key.ts';

/** One field of an index. */
export interface IndexField {
  path: string;
  parts: Path;
  descending: boolean;
}

/** An index: its specification and the place of its entries. */
export interface Index {
  id: number;
  name: string;
  fields: IndexField[];
  /** The specification as `listIndexes` shows it. */
  spec: Doc;
  unique: boolean;
  sparse: boolean;
  partial: Filter | undefined;
  /** How many seconds after the date in the indexed field a document expires; undefined unless it is a TTL index. */
  expireAfterSeconds: number | undefined;
  /** Whether any document has, or had, an array at a path of the index. */
  multikey: boolean;
}

/** The keys of one document in an index. */
interface IndexEntries {
  keys: Buffer[];
  multikey: boolean;
}

/** Creates an index from a stored or requested specification. */
export function makeIndex(id: number, spec: Doc, multikey: boolean): Index {
  const partial = spec.get('partialFilterExpression');
  const expiry = spec.get('expireAfterSeconds');
  return {
    id,
    name: spec.get('name') as string,
    spec,
    fields: [...(spec.get('key') as Doc)].map(([path, direction]) => ({
      path,
      parts: splitPath(path),
      descending: isNumeric(direction) && toNumber(direction) < 0,
    })),
    unique: spec.get('unique') === true,
    sparse: spec.get('sparse') === true,
    partial: partial instanceof Map ? parseFilter(partial) : undefined,
    expireAfterSeconds: isNumeric(expiry) ? toNumber(expiry) : undefined,
    multikey,
  };
}

/**
 * The keys of a document in an index; none when a partial or sparse index excludes it.
 * @throws CannotIndexParallelArrays (171) when two of its fields are arrays
 */
export function entriesOf(index: Index, document: Doc): IndexEntries {
  if (index.partial && !index.partial.matches(document)) return { keys: [], multikey: false };
  const exists = (path: Path) => anyAt(document, path, 0, false, (value) => value !== undefined);
  if (index.sparse && !index.fields.some(({ parts }) => exists(parts))) return { keys: [], multikey: false };
  let keys: Buffer[] | undefined;
  let arrayField: IndexField | undefined;
  for (const field of index.fields) {
    const values: Value[] = [];
    const crossed = collectAt(document, field.parts, 0, values, BSON_UNDEFINED);
    if (crossed && arrayField && arrayField.parts[0] !== field.parts[0]) {
      fail('CannotIndexParallelArrays', `cannot index parallel arrays [${field.path}] [${arrayField.path}]`);
    }
    if (crossed) arrayField = field;
    const parts = values.map((value) => encodeKey(value, field.descending));
    keys = keys ? keys.flatMap((prefix) => parts.map((part) => Buffer.concat([prefix, part]))) : parts;
  }
  return { keys: keys!.length > 1 ? withoutDuplicates(keys!) : keys!, multikey: arrayField !== undefined };
}

function withoutDuplicates(keys: Buffer[]): Buffer[] {
  const sorted = keys.toSorted(Buffer.compare);
  return sorted.filter((key, at) => at === 0 || !key.equals(sorted[at - 1]!));
}

/** The error for a second document with the same key in a unique index. */
export function duplicateKey(namespace: string, index: Index, document: Doc): MongoServerError {
  const keyValue: Doc = new Map();
  for (const field of index.fields) {
    const values: Value[] = [];
    collectAt(document, field.parts, 0, values, BSON_UNDEFINED);
    keyValue.set(field.path, values[0]!);
  }
  return new MongoServerError(
    CODES.DuplicateKey,
    `E11000 duplicate key error collection: ${namespace} index: ${index.name} dup key: ${showDocument(keyValue)}`,
    { keyPattern: index.spec.get('key'), keyValue },
  );
}

/** Whether two specifications describe the same index, apart from its name. */
export function sameIndex(a: Doc, b: Doc): boolean {
  return sameKey(a, b) && sameOptions(a, b);
}

/** Whether two specifications have the same fields in the same order and directions. */
export function sameKey(a: Doc, b: Doc): boolean {
  return equalValues(a.get('key'), b.get('key'));
}

function sameOptions(a: Doc, b: Doc): boolean {
  return !distinguishable(a, b) && !differs('expireAfterSeconds', a, b);
}

/** Whether two specifications with the same key pattern can coexist. */
export function distinguishable(a: Doc, b: Doc): boolean {
  return ['partialFilterExpression', 'sparse', 'unique'].some((option) => differs(option, a, b));
}

function differs(option: string, a: Doc, b: Doc): boolean {
  return !equalValues(a.get(option) ?? false, b.get(option) ?? false);
}
