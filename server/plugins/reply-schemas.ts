import type { FastifySchema } from 'fastify';
import plugin from 'fastify-plugin';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { errorReplySchema } from '#contract';
import { isFileReply, isHidden } from '#server/http/replies.ts';
import { strictParts } from '#server/http/strict-parts.ts';

/**
 * Serialises each JSON reply by the schema that its route declares for the status. Fields that the schema does not have
 * are left out; a reply that does not match is logged and answered 500. Streams, buffers and strings are sent as they
 * are: only by routes that declare a file, and those have no HEAD route, which would make or read all of it.
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
    if (repliesWithFile(schema) && route.exposeHeadRoute !== false) {
      throw new Error(
        `${route.method} ${route.url} replies with a file: HEAD would make or read all of it, so it needs exposeHeadRoute: false`,
      );
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
  app.addHook('onSend', ({ routeOptions: { schema, method, url } }, _reply, payload, done) => {
    if (typeof payload !== 'object' || payload === null) return done();
    // Without an address it is the page for addresses that do not exist.
    if (url === undefined || isHidden(schema) || repliesWithFile(schema)) return done();
    done(new Error(`${method} ${url} sends a file and declares none`));
  });
});

function repliesWithFile(schema: FastifySchema | undefined): boolean {
  return Object.values(schema?.response ?? {}).some(isFileReply);
}
