import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { RouteOptions } from 'fastify';
import plugin from 'fastify-plugin';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { applicationSchema, generationRequestSchema, limits, paths } from '#contract';

const file = { type: 'string', format: 'binary' };

/** The forms by their path. Their routes read the body as a stream, so they have no body schema that Fastify validates. */
const forms: Readonly<Record<string, () => object>> = {
  [paths.generations]: () =>
    formSchema(generationRequestSchema, {
      images: { type: 'array', minItems: 1, maxItems: limits.photos, items: file },
    }),
  [paths.applications]: () => formSchema(applicationSchema, { cv: file }),
};

/** @param files the file parts, all of them required, besides the text fields */
function formSchema(fields: z.ZodType, files: Record<string, object>) {
  const { properties, required } = z.toJSONSchema(fields, { io: 'input', unrepresentable: 'any' });
  return {
    type: 'object',
    required: [...Object.keys(files), ...(required ?? [])],
    properties: { ...files, ...properties },
  };
}

/** OpenAPI from the schemas of the routes: a page, and JSON at `/api/docs/json`. */
export const docs = plugin(async (app) => {
  const needsSession = (route: RouteOptions) =>
    [route.onRequest].flat().some((hook) => hook === app.requireSession || hook === app.requireOperator);
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
          ...(schema.consumes?.includes('multipart/form-data') && { body: forms[url]?.() }),
          ...(needsSession(input.route) ? { security: [{ cookie: [] }, { bearer: [] }] } : {}),
        },
      };
    },
  });
  // The other layout's bar has a field for another document, and a logo with styles that the content security policy refuses.
  await app.register(swaggerUi, { routePrefix: paths.docs, uiConfig: { layout: 'BaseLayout' } });
});
