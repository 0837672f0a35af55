import { z } from 'zod';
import * as contract from '#contract';

/** Kinds of schemas that are worth a name of their own in the API's document; the others are a line each. */
const named: ReadonlySet<string> = new Set(['object', 'union', 'enum']);

/**
 * Names the schemas of the contract for the API's document, as they are exported: `lookViewSchema` is `LookView`. Import it
 * before documents are made.
 */
for (const [name, schema] of Object.entries(contract)) {
  if (!name.endsWith('Schema') || !(schema instanceof z.ZodType) || !named.has(schema.def.type)) continue;
  const meta = z.globalRegistry.get(schema);
  // One that is exported under several names has the first.
  if (meta?.id !== undefined) continue;
  const id = name[0]!.toUpperCase() + name.slice(1, -'Schema'.length);
  z.globalRegistry.add(schema, { ...meta, id });
}
