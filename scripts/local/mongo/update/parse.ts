import { type Doc, type Maybe, showDocument, showValue, typeOf, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { fieldNodes, parseNodes } from '../query/filter.ts';
import { allOf, type NodeTest } from '../query/nodes.ts';
import { fromPlainObject, toPlainObject } from '../query/plain.ts';
import { readStages, runStages } from '../query/stages.ts';

/** The update operators that this server has. */
const OPERATORS = [
  '$inc',
  '$min',
  '$max',
  '$rename',
  '$set',
  '$setOnInsert',
  '$unset',
  '$addToSet',
  '$pull',
  '$push',
] as const;

/** The stages that an update can have. */
const STAGES = ['$set', '$unset'];

/** One operator on one path. */
export interface Change {
  operator: (typeof OPERATORS)[number];
  path: string;
  parts: string[];
  argument: Value;
}

/** The array filters by the identifier in `$[identifier]`. */
export type ArrayFilters = Map<string, NodeTest>;

/** A parsed and validated update. */
export type Update =
  | { kind: 'replace'; replacement: Doc }
  | { kind: 'modify'; changes: Change[]; arrayFilters: ArrayFilters }
  | { kind: 'pipeline'; pipeline: Doc[] };

/** Parses an update. @throws FailedToParse (9), ConflictingUpdateOperators (40) and MongoDB's other early errors */
export function parseUpdate(update: Maybe, arrayFilters: Maybe): Update {
  if (Array.isArray(update)) {
    if (arrayFilters !== undefined) {
      fail('FailedToParse', 'arrayFilters may not be specified for pipeline-syle updates');
    }
    const pipeline = readStages(update);
    const forbidden = pipeline.flatMap((stage) => [...stage.keys()]).find((name) => !STAGES.includes(name));
    if (forbidden) fail('InvalidOptions', `${forbidden} is not allowed to be used within an update`);
    return { kind: 'pipeline', pipeline };
  }
  if (!(update instanceof Map)) fail('FailedToParse', 'Update argument must be either an object or an array');
  const first = update.keys().next().value;
  if (!first?.startsWith('$')) {
    if (arrayFilters !== undefined)
      fail('FailedToParse', 'arrayFilters may not be specified for replacement-style updates');
    return { kind: 'replace', replacement: update };
  }
  const changes = parseChanges(update);
  const filters = parseArrayFilters(arrayFilters);
  checkArrayFilters(changes, filters, update);
  return { kind: 'modify', changes, arrayFilters: filters };
}

/** Applies an update pipeline to a document. */
export function runUpdatePipeline(document: Doc, pipeline: Doc[]): Doc {
  const [result] = runStages([toPlainObject(document)], pipeline);
  return fromPlainObject(result!, document);
}

function parseChanges(update: Doc): Change[] {
  const changes: Change[] = [];
  for (const [operator, operand] of update) {
    if (!OPERATORS.includes(operator as Change['operator'])) {
      fail(
        'FailedToParse',
        `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
      );
    }
    if (!(operand instanceof Map)) {
      fail(
        'FailedToParse',
        `Modifiers operate on fields but we found type ${typeOf(operand).name} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${showValue(operand)}}`,
      );
    }
    for (const [path, argument] of operand) {
      checkPath(path);
      changes.push({ operator: operator as Change['operator'], path, parts: path.split('.'), argument });
    }
  }
  for (const change of changes) if (change.operator === '$rename') checkRename(change);
  checkConflicts(changes);
  return changes;
}

function checkPath(path: string): void {
  if (path === '') fail('EmptyFieldName', 'An empty update path is not valid.');
  const parts = path.split('.');
  if (parts.includes('')) {
    fail('EmptyFieldName', `The update path '${path}' contains an empty field name, which is not allowed.`);
  }
  if (/^\$($|\[)/.test(parts[0]!)) {
    fail('BadValue', `Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
  }
  if (parts.indexOf('$') !== parts.lastIndexOf('$')) {
    fail('BadValue', `Too many positional (i.e. '$') elements found in path '${path}'`);
  }
}

function checkRename({ path, argument }: Change): void {
  if (typeof argument !== 'string') {
    fail('BadValue', `The 'to' field for $rename must be a string: ${path}: ${showValue(argument)}`);
  }
  checkPath(argument);
  if (argument === path)
    fail('BadValue', `The source and target field for $rename must differ: ${path}: "${argument}"`);
  if (/(^|\.)\$/.test(path)) fail('BadValue', `The source field for $rename may not be dynamic: ${path}`);
  if (/(^|\.)\$/.test(argument))
    fail('BadValue', `The destination field for $rename may not be dynamic: ${argument}`);
}

function checkConflicts(changes: Change[]): void {
  const conflict = findConflict(
    changes.flatMap(({ operator, parts, argument }) =>
      operator === '$rename' ? [(argument as string).split('.'), parts] : [parts],
    ),
  );
  if (conflict === undefined) return;
  fail(
    'ConflictingUpdateOperators',
    `Updating the path '${conflict.path}' would create a conflict at '${conflict.at}'`,
  );
}

function parseArrayFilters(option: Maybe): ArrayFilters {
  const filters: ArrayFilters = new Map();
  if (option === undefined || option === null) return filters;
  if (!Array.isArray(option))
    fail('TypeMismatch', "BSON field 'update.updates.arrayFilters' is the wrong type, expected type 'array'");
  for (const filter of option) {
    if (!(filter instanceof Map)) fail('TypeMismatch', 'arrayFilters entries must be documents');
    const names = identifiersOf(filter);
    if (names.size !== 1) {
      const message =
        names.size === 0
          ? 'Cannot use an expression without a top-level field name in arrayFilters'
          : `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${[...names].join("' and '")}'`;
      fail('FailedToParse', message);
    }
    const [name] = names as unknown as [string];
    if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) {
      fail(
        'BadValue',
        `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`,
      );
    }
    if (filters.has(name))
      fail('FailedToParse', `Found multiple array filters with the same top-level field name ${name}`);
    filters.set(name, elementTest(filter, name));
  }
  return filters;
}

function identifiersOf(filter: Doc, into = new Set<string>()): Set<string> {
  for (const [name, value] of filter) {
    if (!name.startsWith('$')) into.add(name.split('.')[0]!);
    else if (Array.isArray(value))
      for (const part of value) if (part instanceof Map) identifiersOf(part, into);
  }
  return into;
}

/** A filter on `i` and `i.field`, which tests an element as if it were the field `i` of a document. */
function elementTest(filter: Doc, name: string): NodeTest {
  const only = filter.size === 1 ? filter.get(name) : undefined;
  if (only !== undefined) {
    const test = allOf(fieldNodes('', only));
    return (element) => test(element);
  }
  const test = allOf(parseNodes(filter));
  return (element) => test(new Map([[name, element as Value]]));
}

function checkArrayFilters(changes: Change[], filters: ArrayFilters, update: Doc): void {
  const used = new Set<string>();
  for (const { path, parts } of changes) {
    for (const part of parts) {
      const identifier = /^\$\[(.+)\]$/.exec(part)?.[1];
      if (identifier === undefined) continue;
      if (!filters.has(identifier)) {
        fail('BadValue', `No array filter found for identifier '${identifier}' in path '${path}'`);
      }
      used.add(identifier);
    }
  }
  for (const name of filters.keys()) {
    if (used.has(name)) continue;
    fail(
      'FailedToParse',
      `The array filter for identifier '${name}' was not used in the update ${showDocument(update)}`,
    );
  }
}

/**
 * Finds two paths that one update cannot change together: equal paths, a path and a prefix of it, or an array that one
 * path enters with `$[]` or `$[identifier]` and another with an index or `$`.
 * @returns the later of the two paths, and the prefix at which it conflicts
 */
export function findConflict(paths: Iterable<string[]>): { path: string; at: string } | undefined {
  const uses = new Map<string, 'value' | 'array' | 'fields'>();
  for (const parts of paths) {
    for (let length = 1; length <= parts.length; length++) {
      const prefix = parts.slice(0, length).join('.');
      const use = useAt(parts, length);
      const earlier = uses.get(prefix);
      if (earlier !== undefined && (earlier !== use || use === 'value')) {
        return { path: parts.join('.'), at: prefix };
      }
      uses.set(prefix, use);
    }
  }
  return undefined;
}

/** What a path changes at the prefix of this length: the whole value, elements of an array, or fields. */
function useAt(parts: string[], length: number): 'value' | 'array' | 'fields' {
  const next = parts[length];
  if (next === undefined) return 'value';
  return next.startsWith('$[') ? 'array' : 'fields';
}
