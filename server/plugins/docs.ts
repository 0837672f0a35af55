import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { RouteOptions } from 'fastify';
import plugin from 'fastify-plugin';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { generationRequestSchema, limits, paths } from '#contract';

/** The form of a submission. Its route reads the body as a stream, so it has no body schema that Fastify validates. */
function formSchema() {
  const { properties, required } = z.toJSONSchema(generationRequestSchema, {
    io: 'input',
    unrepresentable: 'any',
  });
  const images = {
    type: 'array',
    minItems: 1,
    maxItems: limits.photos,
    items: { type: 'string', format: 'binary' },
  };
  return { type: 'object', required: ['images', ...(required ?? [])], properties: { images, ...properties } };
}

/** OpenAPI from the schemas of the routes: a page, and JSON at `/api/docs/json`. */
export const docs = plugin(async (app) => {
  const needsSession = (route: RouteOptions) => [route.onRequest].flat().includes(app.requireSession);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Packshot',
        version: '1',
        description: "Turns a seller's product photos into studio product images.",
      },
      components: {
        securitySchemes: {
          cookie: { type: 'apiKey', in: 'cookie', name: 'packshot' },
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        },
      },
    },
    transform(input) {
      const { schema, url } = jsonSchemaTransform(input);
      return {
        url,
        schema: {
          ...schema,
          ...(schema.consumes?.includes('multipart/form-data') ? { body: formSchema() } : {}),
          ...(needsSession(input.route) ? { security: [{ cookie: [] }, { bearer: [] }] } : {}),
        },
      };
    },
  });
  await app.register(swaggerUi, { routePrefix: paths.docs, staticCSP: true });
});
