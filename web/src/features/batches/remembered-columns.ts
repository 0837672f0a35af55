import { z } from 'zod';
import { type Field, fieldNames } from './tables/known-columns.ts';

/** Tables whose columns are remembered, the newest last. */
const mostTables = 20;
const storageKey = 'batch-columns';
const rememberedSchema = z.array(
  z.object({
    header: z.array(z.string()),
    fields: z.array(z.enum(Object.keys(fieldNames) as [Field, ...Field[]])),
  }),
);

const sameHeader = (one: readonly string[], other: readonly string[]) => one.join('\n') === other.join('\n');

function readAll(): z.infer<typeof rememberedSchema> {
  try {
    const stored = rememberedSchema.safeParse(JSON.parse(localStorage.getItem(storageKey) ?? '[]'));
    return stored.success ? stored.data : [];
  } catch {
    return [];
  }
}

/** What the seller chose for a table with the same columns, in this browser; null if nothing is remembered. */
export function rememberedFields(header: readonly string[]): readonly Field[] | null {
  return readAll().find((table) => sameHeader(table.header, header))?.fields ?? null;
}

/** Remembers what the columns of such tables are. @param fields null forgets it */
export function rememberFields(header: readonly string[], fields: readonly Field[] | null): void {
  const others = readAll().filter((table) => !sameHeader(table.header, header));
  const all = fields === null ? others : [...others, { header: [...header], fields: [...fields] }];
  try {
    localStorage.setItem(storageKey, JSON.stringify(all.slice(-mostTables)));
  } catch {
    // Storage is blocked or full: the seller chooses again.
  }
}
