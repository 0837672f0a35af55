import type { Plugin } from 'vite';

/** What zod's classic schemas and their processors import from the module that makes JSON Schemas. */
const functions = [
  'createStandardJSONSchemaMethod',
  'createToJSONSchemaMethod',
  'extractDefs',
  'finalize',
  'handleUnrepresentable',
  'initializeContext',
  'process',
  'processSchema',
] as const;

/**
 * Leaves out the part of zod that makes JSON Schemas: only the server does, for the API's documentation, but each schema
 * refers to it, so it would be in the code of every page with a schema (2 kB compressed).
 */
export function withoutJsonSchema(): Plugin {
  let isReplaced = false;
  return {
    name: 'packshot:without-json-schema',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    load(id) {
      if (!id.endsWith('/zod/v4/core/to-json-schema.js')) return null;
      isReplaced = true;
      const absent = "() => { throw new Error('this build makes no JSON Schemas'); }";
      // The first two are called when a schema is created, and return the function that would make its JSON Schema.
      return functions
        .map((name) => `export const ${name} = ${name.startsWith('create') ? `() => ${absent}` : absent};`)
        .join('\n');
    },
    buildEnd(error) {
      if (!error && !isReplaced) throw new Error('zod has no core/to-json-schema.js any more');
    },
  };
}
