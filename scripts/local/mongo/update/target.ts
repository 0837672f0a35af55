import { type Doc, type Maybe, showValue, typeOf, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { isIndex } from '../query/path.ts';

const MOST_PADDING = 1_500_000;

/** A deep copy of a value, which can be changed. */
export function copyValue(value: Value): Value {
  if (value instanceof Map) return copyDocument(value);
  return Array.isArray(value) ? value.map(copyValue) : value;
}

/** A deep copy of a document, which can be changed. */
export function copyDocument(document: Doc): Doc {
  const copy: Doc = new Map();
  for (const [name, field] of document) copy.set(name, copyValue(field));
  return copy;
}

/** The value at a path without positional operators. */
export function getAt(container: Maybe, parts: readonly string[]): Maybe {
  let value = container;
  for (const part of parts) {
    if (value instanceof Map) value = value.get(part);
    else if (Array.isArray(value) && isIndex(part)) value = value[Number(part)];
    else return undefined;
  }
  return value;
}

/** Sets the value at a path, creating documents and extending arrays on the way. @throws PathNotViable (28) */
export function setAt(document: Doc, parts: readonly string[], value: Value): void {
  let container: Value = document;
  for (const [depth, part] of parts.entries()) {
    const last = depth === parts.length - 1;
    let next: Maybe;
    if (container instanceof Map) {
      next = container.get(part);
      if (last || next === undefined) container.set(part, last ? value : new Map());
      next = container.get(part);
    } else if (Array.isArray(container) && isIndex(part)) {
      const index = Number(part);
      if (index > container.length + MOST_PADDING) {
        fail('BadValue', `can't backfill more than ${MOST_PADDING} elements of array`);
      }
      while (container.length < index) container.push(null);
      if (last || container[index] === undefined) container[index] = last ? value : new Map();
      next = container[index];
    } else {
      notViable(parts, depth, container);
    }
    container = next!;
  }
}

/** Rejects a path through something that is neither a document nor an array, or into an array by name. */
export function checkViable(document: Doc, parts: readonly string[]): void {
  let container: Maybe = document;
  for (const [depth, part] of parts.entries()) {
    if (container === undefined) return;
    if (container instanceof Map) container = container.get(part);
    else if (Array.isArray(container) && isIndex(part)) container = container[Number(part)];
    else notViable(parts, depth, container);
  }
}

function notViable(parts: readonly string[], depth: number, container: Value): never {
  return fail(
    'PathNotViable',
    `Cannot create field '${parts[depth]}' in element {${parts[depth - 1]}: ${showValue(container)}}`,
  );
}

/** Removes the value at a path; an array element becomes null. */
export function removeAt(document: Doc, parts: readonly string[]): void {
  const container = getAt(document, parts.slice(0, -1));
  const last = parts.at(-1)!;
  if (container instanceof Map) container.delete(last);
  else if (Array.isArray(container) && isIndex(last) && Number(last) < container.length)
    container[Number(last)] = null;
}

/** Rejects field names that must not be stored at the top level of a document. */
export function checkStorable(document: Doc): void {
  const id = document.get('_id');
  if (Array.isArray(id)) fail('InvalidIdField', "The '_id' value cannot be of type array");
  const { name } = typeOf(id);
  if (name === 'regex') fail('InvalidIdField', "The '_id' value cannot be of type regex");
  if (name === 'undefined') fail('InvalidIdField', "The '_id' value cannot be of type undefined");
  if (id instanceof Map) {
    for (const field of id.keys()) {
      if (field.startsWith('$'))
        fail(
          'DollarPrefixedFieldName',
          `_id fields may not contain '$'-prefixed fields: ${field} is not valid for storage.`,
        );
    }
  }
}
