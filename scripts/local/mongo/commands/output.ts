import { decode } from '../bson/decode.ts';
import type { Doc, Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { computePlain } from '../query/expression.ts';
import { parseFilter } from '../query/filter.ts';
import type { FilterContext } from '../query/nodes.ts';
import { collectAt } from '../query/path.ts';
import { toPlain, toPlainObject } from '../query/plain.ts';
import { duplicateKey, type Index } from '../storage/indexes.ts';
import { findDocuments } from '../storage/scan.ts';
import { applyUpdate, store } from '../update/apply.ts';
import { parseUpdate, type Update } from '../update/parse.ts';
import type { CommandContext } from './context.ts';
import { insertDocument, type Target } from './write.ts';

function targetOf(context: CommandContext, spec: Value | undefined, stage: string): Target {
  const { catalog } = context.state;
  if (typeof spec === 'string') return { catalog, database: context.database, name: spec };
  if (spec instanceof Map && typeof spec.get('coll') === 'string') {
    const database = spec.get('db');
    return {
      catalog,
      database: typeof database === 'string' ? database : context.database,
      name: spec.get('coll') as string,
    };
  }
  return fail(
    16990,
    `${stage} only supports a string or object argument, but found neither a collection's name nor 'coll'`,
  );
}

/** `$out`: replaces all documents of a collection by the results; its indexes stay. */
export function writeOut(context: CommandContext, spec: Value, results: Buffer[]): void {
  const target = targetOf(context, spec, '$out');
  target.catalog.change(() => {
    const collection = target.catalog.findOrCreate(target.database, target.name);
    const everything = {
      filter: parseFilter(new Map()),
      sort: [],
      hint: { natural: true, index: undefined },
      skip: 0,
      limit: 0,
    };
    for (const stored of [...findDocuments(collection, everything)]) collection.remove(stored);
    for (const bytes of results) insertDocument(target, decode(bytes), bytes, true);
  });
}

const WHEN_MATCHED = ['replace', 'keepExisting', 'merge', 'fail'];
const WHEN_NOT_MATCHED = ['insert', 'discard', 'fail'];

/** `$merge`: merges each result into a collection, matched by the `on` fields. */
export function writeMerged(
  context: CommandContext,
  spec: Value,
  results: Buffer[],
  reading: FilterContext,
): void {
  const options: Doc = spec instanceof Map ? spec : new Map([['into', spec]]);
  const target = targetOf(context, options.get('into'), '$merge');
  const on = options.get('on') ?? '_id';
  const fields = (Array.isArray(on) ? on : [on]) as string[];
  const whenMatched = options.get('whenMatched') ?? 'merge';
  const whenNotMatched = options.get('whenNotMatched') ?? 'insert';
  if (!Array.isArray(whenMatched) && !WHEN_MATCHED.includes(whenMatched as string)) {
    fail(
      'BadValue',
      `Enumeration value '${String(toPlain(whenMatched))}' for field '$merge.whenMatched' is not a valid value.`,
    );
  }
  if (!WHEN_NOT_MATCHED.includes(whenNotMatched as string)) {
    fail(
      'BadValue',
      `Enumeration value '${String(toPlain(whenNotMatched))}' for field '$merge.whenNotMatched' is not a valid value.`,
    );
  }
  checkUniqueOn(target, fields);
  for (const bytes of results) {
    const document = decode(bytes);
    const filter: Doc = new Map();
    for (const field of fields) {
      const values: Value[] = [];
      collectAt(document, field.split('.'), 0, values, null);
      filter.set(field, new Map([['$eq', values[0] ?? null]]));
    }
    const collection = target.catalog.find(target.database, target.name);
    const search = { filter: parseFilter(filter), sort: [], hint: undefined, skip: 0, limit: 1 };
    const [existing] = collection ? [...findDocuments(collection, search)] : [];
    if (!existing) {
      if (whenNotMatched === 'fail') {
        fail(
          'MergeStageNoMatchingDocument',
          '$merge could not find a matching document in the target collection for at least one document in the source collection',
        );
      }
      if (whenNotMatched === 'insert') insertDocument(target, document, bytes, true);
      continue;
    }
    if (whenMatched === 'keepExisting') continue;
    if (whenMatched === 'fail') {
      const index = uniqueOn(target, fields);
      throw duplicateKey(collection!.namespace, index!, document);
    }
    const update = mergeUpdate(whenMatched, document, options, reading);
    const { document: merged, bytes: mergedBytes } = store(applyUpdate(existing.document, update, -1));
    if (!mergedBytes.equals(existing.bytes)) collection!.replace(existing, merged, mergedBytes);
  }
}

function mergeUpdate(whenMatched: Value, document: Doc, options: Doc, reading: FilterContext): Update {
  if (whenMatched === 'replace') return { kind: 'replace', replacement: document };
  if (whenMatched === 'merge') {
    const changes: Doc = new Map(document);
    changes.delete('_id');
    if (changes.size === 0) return { kind: 'modify', changes: [], arrayFilters: new Map(), context: reading };
    return parseUpdate(new Map([['$set', changes]]), undefined, reading);
  }
  const plain = toPlainObject(document);
  const variables: Record<string, unknown> = { ...reading.variables };
  const given = options.get('let');
  if (given instanceof Map) {
    for (const [name, expression] of given)
      variables[name] = computePlain(toPlain(expression), plain, reading.variables);
  }
  variables.new ??= plain;
  return parseUpdate(whenMatched, undefined, { ...reading, variables });
}

function checkUniqueOn(target: Target, fields: string[]): void {
  if (fields.length === 1 && fields[0] === '_id') return;
  if (!uniqueOn(target, fields)) fail(51183, 'Cannot find index to verify that join fields will be unique');
}

function uniqueOn(target: Target, fields: string[]): Index | undefined {
  const indexes = target.catalog.find(target.database, target.name)?.indexes ?? [];
  return indexes.find(
    (index) =>
      (index.unique || index.name === '_id_') &&
      !index.partial &&
      index.fields.length === fields.length &&
      index.fields.every(({ path }) => fields.includes(path)),
  );
}
