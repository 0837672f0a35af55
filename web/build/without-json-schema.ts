import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

/** The modules of zod that make JSON Schemas. */
const modules = ['to-json-schema.js', 'json-schema-processors.js'];
const moduleOf = (id: string) => modules.find((name) => id.endsWith(`/zod/v4/core/${name}`));

/**
 * Leaves out the part of zod that makes JSON Schemas: only the server does, for the API's documentation, but each schema
 * refers to it, so it would be in the code of every page with a schema (4 kB compressed). Its functions throw instead.
 */
export function withoutJsonSchema(): Plugin {
  const replaced = new Set<string>();
  return {
    name: 'packshot:without-json-schema',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    async load(id) {
      const module = moduleOf(id);
      if (!module) return null;
      replaced.add(module);
      const source = await readFile(id, 'utf8');
      const declared = [...source.matchAll(/^export (?:async )?(?:const|function) (\w+)/gm)];
      const renamed = [...source.matchAll(/^export \{ \w+ as (\w+) \}/gm)];
      const names = [...declared, ...renamed].map(([, name]) => name!);
      const absent = "() => { throw new Error('this build makes no JSON Schemas'); }";
      // Those that create a method are called with each new schema; what they return is not.
      const stubOf = (name: string) => (name.startsWith('create') ? `() => ${absent}` : absent);
      return names.map((name) => `export const ${name} = ${stubOf(name)};`).join('\n');
    },
    buildEnd(error) {
      const missing = modules.filter((name) => !replaced.has(name));
      if (!error && missing.length > 0) throw new Error(`zod has no ${missing.join(', ')} any more`);
    },
  };
}
