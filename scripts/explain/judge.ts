/** Whether a statement reads more of a collection than it has to. */

import { sandboxPrefix } from '#shared/data/collection.ts';
import { smallCollections } from './accepted.ts';
import { collectionOf, type Plan } from './explain.ts';
import type { Command } from './shapes.ts';

/** @returns what is wrong with the plan of a statement; empty if nothing is */
export function problemsOf(command: Command, plan: Plan): string[] {
  if (realNameOf(collectionOf(command)) in smallCollections) return [];
  const problems: string[] = [];
  if (plan.stages.includes('COLLSCAN')) problems.push('reads the whole collection');
  const sorts = plan.stages.some((stage) => stage.startsWith('SORT') && stage !== 'SORT_MERGE');
  if (sorts) problems.push('sorts in memory');
  const filter = filterOf(command);
  // The first ones in the order of an index.
  if (Object.keys(filter).length === 0 && command.limit !== undefined && !sorts) return problems;
  const conditions = new Set<string>();
  collect(filter, conditions);
  for (const { name, key, partial } of plan.indexes) {
    if (!conditions.has(key[0]!) && !partial) problems.push(`reads the whole index ${name}`);
  }
  return problems;
}

/** The collection that is for real images what one of the sandbox is for tests: the same is accepted of both. */
const realNameOf = (collection: string) =>
  collection.startsWith(sandboxPrefix) ? collection.slice(sandboxPrefix.length) : collection;

/** A statement in few words: operation, collection, fields of its conditions, order. */
export function textOf(command: Command): string {
  const [operation] = Object.keys(command);
  const sort = command.sort ? ` sort ${Object.keys(command.sort as Command).join(',')}` : '';
  return `${operation} ${realNameOf(collectionOf(command))} {${Object.keys(filterOf(command)).join(', ')}}${sort}`;
}

function filterOf(command: Command): Command {
  const [statement] = (command.updates ?? command.deletes ?? []) as Command[];
  const [stage] = (command.pipeline ?? []) as Command[];
  return (command.filter ?? command.query ?? statement?.q ?? stage?.$match ?? {}) as Command;
}

/** Operators that most values pass: a condition with one of them alone does not limit what is read. */
const unselective = new Set(['$ne', '$nin', '$not']);

/** Adds the fields whose conditions limit what is read, wherever they are in a filter. */
function collect(filter: unknown, found: Set<string>): void {
  for (const [field, condition] of Object.entries(filter as Command)) {
    if (Array.isArray(condition) && field.startsWith('$')) for (const each of condition) collect(each, found);
    else if (!isUnselective(condition)) found.add(field);
  }
}

function isUnselective(condition: unknown): boolean {
  if (condition === null || typeof condition !== 'object') return false;
  const operators = Object.keys(condition);
  return operators.length > 0 && operators.every((operator) => unselective.has(operator));
}
