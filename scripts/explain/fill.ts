/** Documents that nobody wrote, for `npm run explain`: so many that MongoDB chooses its plans as on a database in use. */
import type { Schema, SchemaType } from 'mongoose';
import { connectionOf } from '#shared/data/collection.ts';
import { type Db, isDuplicateKey } from '#shared/data/db.ts';

/** Values of a text field that is not unique: each is in several documents, as a seller's id is. */
const distinctTexts = 60;

type Value = Record<string, unknown>;

/** The part of a schema type that is read here. */
interface Type extends SchemaType {
  enumValues?: string[];
  schema?: Schema;
  /** The type of the entries of an array. */
  embeddedSchemaType?: Type;
}

/** Fills each collection with documents that its schema allows. @param count documents of a collection, at most */
export async function fillCollections(db: Db, count: number): Promise<void> {
  for (const { schema, collection } of Object.values(connectionOf(db).models)) {
    const unique = new Set(['_id']);
    for (const [fields, options] of schema.indexes()) {
      const names = Object.keys(fields);
      if (options.unique && names.length === 1) unique.add(names[0]!);
    }
    const next = numbers();
    const documents = Array.from({ length: count }, (_, index) =>
      invent(schema, (path, type) => (unique.has(path) ? `${path}-${index}` : inventValue(type, next)), next),
    );
    try {
      await collection.insertMany(documents as never[], { ordered: false });
    } catch (error) {
      // Two that are equal in the fields of a unique index: the others are inserted.
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

/** Whole numbers below a limit, the same ones each time. */
type Next = (below: number) => number;

function numbers(): Next {
  let state = 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** A document with a value for each required path of a schema, and for about half of the others. */
function invent(schema: Schema, value: (path: string, type: Type) => unknown, next: Next): Value {
  const document: Value = {};
  for (const [path, type] of Object.entries(schema.paths as Record<string, Type>)) {
    if (type.options.required !== true && next(2) === 0) {
      if (type.options.default === null) set(document, path, null);
      continue;
    }
    const invented = value(path, type);
    if (invented !== undefined) set(document, path, invented);
  }
  return document;
}

function set(document: Value, path: string, value: unknown): void {
  const parts = path.split('.');
  const last = parts.pop()!;
  let inner = document;
  for (const part of parts) {
    inner[part] ??= {};
    inner = inner[part] as Value;
  }
  inner[last] = value;
}

function inventValue(type: Type, next: Next): unknown {
  if (type.schema !== undefined) {
    const one = () => invent(type.schema!, (_, inner) => inventValue(inner, next), next);
    return type.instance === 'Array' || type.instance === 'DocumentArray'
      ? Array.from({ length: next(3) }, one)
      : one();
  }
  switch (type.instance) {
    case 'String':
      return type.enumValues?.length
        ? type.enumValues[next(type.enumValues.length)]
        : `text-${next(distinctTexts)}`;
    case 'Number':
      return next(100);
    case 'Date':
      // Within the last and the next half year.
      return new Date(Date.now() + (next(365) - 180) * 86_400_000 + next(86_400_000));
    case 'Boolean':
      return next(2) === 0;
    case 'Array':
      return Array.from({ length: next(3) }, () => inventValue(type.embeddedSchemaType!, next));
    case 'Mixed':
      return {};
    default:
      return undefined;
  }
}
