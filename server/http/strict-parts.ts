import type { z } from 'zod';

/**
 * Where a schema refuses fields that it does not know: open pages of the last release would refuse a reply with a new field.
 * @returns paths of the strict objects in it, such as `image.edits`; the schema itself is `.`
 */
export function strictParts(schema: z.core.$ZodType): string[] {
  const seen = new Set<object>();
  const found: string[] = [];
  const visit = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const { _zod } = value as Partial<z.core.$ZodType>;
    if (!_zod) return;
    const def = _zod.def as z.core.$ZodTypeDef & { catchall?: z.core.$ZodType; shape?: object };
    if (def.type === 'object' && def.catchall?._zod.def.type === 'never') found.push(path || '.');
    for (const [name, part] of Object.entries(def)) {
      if (name === 'shape') {
        for (const [field, each] of Object.entries(part as object))
          visit(each, path ? `${path}.${field}` : field);
      } else for (const each of [part].flat()) visit(each, path);
    }
  };
  visit(schema, '');
  return found;
}
