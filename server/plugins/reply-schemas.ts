import type { FastifySchema } from 'fastify';
import plugin from 'fastify-plugin';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { errorReplySchema } from '#contract';
import { strictParts } from '#server/http/strict-parts.ts';

/**
 * Serialises each JSON reply by the schema that its route declares for the status. Fields that the schema does not have
 * are left out; a reply that does not match is logged and answered 500. Streams, buffers and strings are sent as they
 * are.
 *
 * Any status that a route does not declare has the error schema: a route can send nothing but what it declares, and
 * errors. Register it before the routes.
 */
export const replySchemas = plugin(async (app) => {
  app.setSerializerCompiler(serializerCompiler);
  app.addHook('onRoute', (route) => {
    const { schema } = route;
    // Static files and the pages of the API documentation, which plugins register.
    if (isHidden(schema)) return;
    const response = (schema?.response ?? {}) as Record<string, unknown>;
    if (!Object.keys(response).some((status) => status.startsWith('2'))) {
      throw new Error(`${route.method} ${route.url} declares no schema for its reply`);
    }
    for (const [status, reply] of Object.entries(response)) {
      const strict = strictParts(reply as z.core.$ZodType);
      if (strict.length > 0) {
        throw new Error(
          `${route.method} ${route.url} ${status}: strict in ${strict.join(', ')}: a new field would break open pages of the last release`,
        );
      }
    }
    route.schema = { ...schema, response: { ...response, default: errorReplySchema } };
  });
});

function isHidden(schema: FastifySchema | undefined): boolean {
  return schema !== undefined && 'hide' in schema && schema.hide === true;
}
