import { equalValues } from '../bson/compare.ts';
import type { Doc, Value } from '../bson/values.ts';
import type { Collation } from '../query/collation.ts';
import { showDocument, showValue } from '../storage/show.ts';

/** What an operator needs besides the value that it changes. */
export interface ChangeContext {
  collation: Collation;
  variables?: Record<string, unknown> | undefined;
  /** The document's `_id` for error messages. */
  id: string;
  /** The path without positional operators, for error messages. */
  field: string;
  insert: boolean;
}

/** The last part of a dotted path. */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** A document's `_id` as error messages show it. */
export function showId(document: Doc): string {
  return document.has('_id') ? showValue(document.get('_id')) : showDocument(document);
}

/** Whether a list contains a value. */
export function includesValue(list: Value[], value: Value, collation: Collation): boolean {
  return list.some((each) => equalValues(each, value, collation.compare));
}
