import { type Doc, type Maybe, showValue, typeOf, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
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

/** A parsed and validated update. */
export type Update =
  | { kind: 'replace'; replacement: Doc }
  | { kind: 'modify'; changes: Change[] }
  | { kind: 'pipeline'; pipeline: Doc[] };

/** Parses an update. @throws FailedToParse (9), ConflictingUpdateOperators (40) and MongoDB's other early errors */
export function parseUpdate(update: Maybe): Update {
  if (Array.isArray(update)) {
    const pipeline = readStages(update);
    const forbidden = pipeline.flatMap((stage) => [...stage.keys()]).find((name) => !STAGES.includes(name));
    if (forbidden) fail('InvalidOptions', `${forbidden} is not allowed to be used within an update`);
    return { kind: 'pipeline', pipeline };
  }
  if (!(update instanceof Map)) fail('FailedToParse', 'Update argument must be either an object or an array');
  const first = update.keys().next().value;
  if (!first?.startsWith('$')) return { kind: 'replace', replacement: update };
  return { kind: 'modify', changes: parseChanges(update) };
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
  if (parts[0] === '$') {
    fail('BadValue', `Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
  }
  if (parts.some((part) => part.startsWith('$['))) {
    fail('BadValue', `This server does not know the positional element of '${path}', only '$'.`);
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

/**
 * Finds two paths that one update cannot change together: equal paths, or a path and a prefix of it.
 * @returns the later of the two paths, and the prefix at which it conflicts
 */
export function findConflict(paths: Iterable<string[]>): { path: string; at: string } | undefined {
  /** Whether each prefix is a whole path. */
  const uses = new Map<string, boolean>();
  for (const parts of paths) {
    for (let length = 1; length <= parts.length; length++) {
      const prefix = parts.slice(0, length).join('.');
      const isWhole = length === parts.length;
      const earlier = uses.get(prefix);
      if (earlier !== undefined && (earlier || isWhole)) return { path: parts.join('.'), at: prefix };
      uses.set(prefix, isWhole);
    }
  }
  return undefined;
}
