import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifySchema, RouteOptions } from 'fastify';
import plugin from 'fastify-plugin';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { limits, paths } from '#contract';
import { testScenes } from '#contract/test-scenes.ts';
import { scopeOf } from '#server/auth/api-key.ts';
import { cookieOf } from '#server/http/cookies.ts';
import type { DocumentedForm } from '#server/http/documented.ts';
import { formPartsOf, mediaTypesOf } from '#server/http/replies.ts';
import type { Config } from '#shared/platform/config.ts';
import { type BodyOfRoute, finishDocument, type OpenApiDocument } from './openapi-document.ts';
import './schema-details.ts';
import './schema-names.ts';
import { v1Examples } from './v1-examples.ts';

/** What test keys are for, with the scenes that make something happen. */
const apiText = [
  'Version 1 of the API, for programs with an API key. A key that begins with `pk_test_` makes test images: they use no image, have',
  `a watermark, are kept for ${limits.testDays} days, and are in a space of their own, which live keys do not`,
  'find. A description that begins with one of these words makes something happen:',
  '',
  ...Object.entries(testScenes).map(([words, { happens }]) => `- \`${words}\`: ${happens}`),
].join('\n');

/** What the operations are about, in the order of the page. */
const tags = {
  api: apiText,
  account: 'Signing up and in, the account and its protection',
  generations: 'Submissions, and the images that are made',
  images: 'Files of images, edits and exports',
  library: 'Finding, renaming and deleting images',
  projects: 'Groups of images',
  'export-presets': 'Sizes, backgrounds and names of files that a seller chooses',
  looks: 'Saved scenes and options',
  batches: 'Images of many products at once',
  billing: 'Plan, payments and the ledger',
  notifications: 'What happened lately',
  contact: 'Messages and applications to us',
  service: 'The installation and its health',
  operator: 'For operators only',
  webhooks: 'Calls of Stripe and of the mail provider',
} as const;

type Transform = Parameters<typeof jsonSchemaTransform>[0];
type JsonSchema = { properties?: object; required?: string[] };

/** The parts of a request that are listed one by one: their schema is written out, although it has a name. */
const written = <Schema extends z.ZodType>(schema: Schema): Schema => schema.clone(schema._zod.def as never);

const exampleOf = (schema: unknown) => v1Examples.find(([each]) => each === schema)?.[1];

/** A file, as OpenAPI has it. */
const binary = { type: 'string', format: 'binary' };

/** The replies of a route that are files, by status. @param jsonOf the JSON schema of a reply */
function fileReplies(
  { response = {} }: FastifySchema,
  jsonOf: (schema: z.ZodType) => object,
): Record<string, object> {
  return Object.fromEntries(
    Object.entries(response as Record<string, z.ZodType>).flatMap(([status, schema]) => {
      const mediaTypes = mediaTypesOf(schema);
      if (!mediaTypes) return [];
      const parts = formPartsOf(schema);
      const media = parts ? formContent(parts, jsonOf) : { schema: binary };
      const content = Object.fromEntries(mediaTypes.map((type) => [type, media]));
      return [[status, { description: schema.description, content }]];
    }),
  );
}

/** A reply that is a form, as OpenAPI has it. */
function formContent(
  parts: NonNullable<ReturnType<typeof formPartsOf>>,
  jsonOf: (schema: z.ZodType) => object,
): object {
  const properties: Record<string, object> = {};
  const encoding: Record<string, { contentType: string }> = {};
  for (const [name, part] of Object.entries(parts)) {
    if ('parse' in part) properties[name] = jsonOf(part);
    else {
      properties[name] = binary;
      encoding[name] = { contentType: part.join(', ') };
    }
  }
  return { schema: { type: 'object', required: Object.keys(parts), properties }, encoding };
}

/** OpenAPI from the schemas of the routes: a page, and JSON at `/api/docs/json`. */
export const docs = plugin<{ config: Pick<Config, 'secure'> }>(async (app, { config }) => {
  const bodies = new Map<string, BodyOfRoute>();
  const uses = (route: RouteOptions, hook: unknown) => [route.onRequest].flat().some((each) => each === hook);
  const securityOf = (route: RouteOptions): Record<string, string[]>[] => {
    const scope = [route.onRequest]
      .flat()
      .map(scopeOf)
      .find((each) => each !== undefined);
    if (scope !== undefined) return [{ apiKey: [scope] }];
    if (uses(route, app.requireSession)) return [{ cookie: [] }, { bearer: [] }];
    return uses(route, app.requireOperator) ? [{ operatorCookie: [] }, { operatorBearer: [] }] : [];
  };

  /** The JSON schema of a part of a request. */
  const jsonOf = (input: Transform, schema: z.ZodType) =>
    jsonSchemaTransform({ ...input, schema: { querystring: written(schema) } }).schema
      .querystring as JsonSchema;

  /** The JSON schema of a reply. */
  const replyOf = (input: Transform, schema: z.ZodType) => {
    const { response } = jsonSchemaTransform({ ...input, schema: { response: { 200: schema } } }).schema;
    return (response as Record<string, object>)[200]!;
  };

  const formBody = (
    input: Transform,
    operationId: string,
    { fields, files }: DocumentedForm,
    json?: z.ZodType,
  ) => {
    const { properties, required = [] } = fields ? jsonOf(input, fields) : {};
    const parts = Object.entries(files);
    bodies.set(operationId, {
      encoding: Object.fromEntries(parts.map(([name, { contentType }]) => [name, { contentType }])),
      ...(json && {
        orJson: {
          schema: jsonSchemaTransform({ ...input, schema: { body: json } }).schema.body as object,
          example: exampleOf(json),
        },
      }),
    });
    return {
      type: 'object',
      additionalProperties: false,
      required: [...Object.keys(files), ...required],
      properties: { ...Object.fromEntries(parts.map(([name, { schema }]) => [name, schema])), ...properties },
    };
  };

  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Packshot',
        version: '1',
        description: "Turns a seller's product photos into studio product images.",
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: '/' }],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: securitySchemes(cookieOf('session', config).name),
      },
    },
    transform(input) {
      const { schema: own, route } = input;
      if (!own || own.hide) return jsonSchemaTransform(input);
      const { form, orJson, requestHeaders, ...described } = own;
      const example = exampleOf(described.body);
      if (example) bodies.set(own.operationId ?? '', { example });
      const query = described.querystring as z.ZodType | undefined;
      const parameters = described.params as z.ZodType | undefined;
      const { schema, url } = jsonSchemaTransform({
        ...input,
        schema: {
          ...described,
          ...(query && { querystring: written(query) }),
          ...(parameters && { params: written(parameters) }),
        },
      });
      return {
        url,
        schema: {
          security: securityOf(route),
          ...schema,
          response: {
            ...(schema.response as object),
            ...fileReplies(own, (reply) => replyOf(input, reply)),
          },
          ...(form && { body: formBody(input, own.operationId ?? '', form, orJson) }),
          ...(requestHeaders && { headers: jsonOf(input, requestHeaders) }),
        },
      };
    },
    transformObject: (input) =>
      finishDocument(jsonSchemaTransformObject(input as never) as OpenApiDocument, bodies) as never,
  });
  // The other layout's bar has a field for another document, and a logo with styles that the content security policy refuses.
  await app.register(swaggerUi, { routePrefix: paths.docs, uiConfig: { layout: 'BaseLayout' } });
});

/** How requests show who sends them. @param cookie name of the session's cookie */
function securitySchemes(cookie: string) {
  const operator = 'Of an account with the role, in a session in which a second factor was given.';
  return {
    cookie: { type: 'apiKey', in: 'cookie', name: cookie, description: 'The session of a browser.' },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The session of a program: `token` of the reply of a sign-in.',
    },
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key, of the scope that is named: Account Settings, API.',
    },
    operatorCookie: { type: 'apiKey', in: 'cookie', name: cookie, description: operator },
    operatorBearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: operator },
    stripeSignature: {
      type: 'apiKey',
      in: 'header',
      name: 'Stripe-Signature',
      description: 'Signs the body with STRIPE_WEBHOOK_SECRET.',
    },
    mailBearer: { type: 'http', scheme: 'bearer', description: 'MAIL_WEBHOOK_SECRET.' },
    mailBasic: { type: 'http', scheme: 'basic', description: 'MAIL_WEBHOOK_SECRET as the password.' },
  } as const;
}
