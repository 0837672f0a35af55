import { STATUS_CODES } from 'node:http';
import { type ErrorCode, errorCodes, errorDefinitions, v1Versions } from '#contract';

/** The parts of an OpenAPI document that are changed here. */
export interface OpenApiDocument {
  paths?: Record<string, Record<string, Operation>>;
  tags?: { name: string }[];
  components?: {
    schemas?: Record<string, object>;
    responses?: Record<string, object>;
    securitySchemes?: Record<string, object>;
    headers?: Record<string, object>;
  };
}
interface Operation {
  operationId?: string;
  security?: object[];
  requestBody?: { required?: boolean; content: Record<string, { schema: object; encoding?: object }> };
  responses: Record<string, Response | { $ref: string }>;
}
interface Response {
  description?: string;
  content?: Record<string, { schema: { $ref?: string } }>;
}

const schemaPath = '#/components/schemas/';
const responsePath = '#/components/responses/';
const headerPath = '#/components/headers/';
const errorReply = `${schemaPath}ErrorReply`;

/** What @fastify/swagger writes where a reply has no description. */
const noDescription = 'Default Response';

/**
 * What the plugin cannot say of bodies, by the id of their operation: how the parts of a form are encoded, the JSON that is taken
 * instead, and the example of a body of JSON alone, which zod leaves out of the schema of a request.
 */
export type Bodies = ReadonlyMap<string, BodyOfRoute>;

export interface BodyOfRoute {
  encoding?: object | undefined;
  example?: object | undefined;
  orJson?: { schema: object; example?: object | undefined } | undefined;
}

/** The name of the error reply with a status, such as `NotFound`. */
const errorName = (status: string) =>
  status === 'default' ? 'AnyError' : STATUS_CODES[Number(status)]!.replaceAll(/\W/g, '');

/** The error replies by their name: each status once, with the codes that it can have. */
function errorResponses(): Record<string, object> {
  const statuses = [...new Set(errorCodes.map((code) => errorDefinitions[code][0]))].toSorted();
  return Object.fromEntries([
    ...statuses.map((status) => [errorName(String(status)), errorResponse(status)]),
    [errorName('default'), { description: 'Any other error.', ...errorContent }],
  ]);
}

const errorContent = { content: { 'application/json': { schema: { $ref: errorReply } } } };

function errorResponse(status: number): object {
  const codes = errorCodes.filter((code: ErrorCode) => errorDefinitions[code][0] === status);
  const waits = status === 429 || status === 503;
  return {
    description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    ...(waits && {
      headers: { 'Retry-After': { description: 'In seconds.', schema: { type: 'integer', minimum: 1 } } },
    }),
    ...errorContent,
  };
}

/**
 * Finishes the document that @fastify/swagger made, as far as the plugin cannot: error replies are references to
 * `components.responses`, replies have descriptions, a body that may be missing is not required, parts of forms have an
 * encoding, and `components` has what the paths refer to, schemas by their plain name.
 */
export function finishDocument<Document extends OpenApiDocument>(
  document: Document,
  bodies: Bodies,
): Document {
  const paths = mapValues(document.paths ?? {}, (operations) =>
    mapValues(operations, (operation) => finishOperation(operation, bodies)),
  );
  const { schemas = {}, ...components } = document.components ?? {};
  const responses = referredTo(responsePath, paths, errorResponses());
  const headers = referredTo(headerPath, paths, programHeaders);
  const used = referredTo(schemaPath, { paths, responses }, schemas);
  const names = plainNames(used);
  const text = JSON.stringify({
    ...document,
    paths,
    components: {
      ...components,
      responses,
      ...(Object.keys(headers).length > 0 && { headers }),
      schemas: Object.fromEntries(
        Object.entries(used).map(([name, schema]) => [names.get(name) ?? name, schema]),
      ),
    },
  });
  return JSON.parse(
    text.replaceAll(reference(schemaPath), (whole, name) => whole.replace(name, names.get(name) ?? name)),
    withoutTimePattern,
  );
}

/** The pattern that zod writes for a date and time has 300 characters, and says no more than its format. */
function withoutTimePattern(_: string, value: unknown): unknown {
  if (!(value instanceof Object && 'format' in value && value.format === 'date-time')) return value;
  const { pattern, ...schema } = value as { format: string; pattern?: string };
  return schema;
}

/** The part of a finished document whose paths begin with a prefix, with the components and tags that it uses. */
export function partOfDocument<Document extends OpenApiDocument>(
  document: Document,
  prefix: string,
): Document {
  const paths = Object.fromEntries(
    Object.entries(document.paths ?? {}).filter(([path]) => path.startsWith(prefix)),
  );
  const { schemas = {}, responses = {}, securitySchemes = {}, ...components } = document.components ?? {};
  const usedResponses = referredTo(responsePath, paths, responses);
  const text = JSON.stringify(paths);
  return {
    ...document,
    tags: document.tags?.filter(({ name }) => text.includes(`"tags":["${name}"]`)),
    paths,
    components: {
      ...components,
      securitySchemes: Object.fromEntries(
        Object.entries(securitySchemes).filter(([name]) => text.includes(`"security":[{"${name}":`)),
      ),
      responses: usedResponses,
      schemas: referredTo(schemaPath, { paths, responses: usedResponses }, schemas),
    },
  };
}

const mapValues = <Value, Result>(record: Record<string, Value>, map: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

/** Finds the references in JSON to what is under a path. */
const reference = (path: string) => new RegExp(`"${path}([^"]+)"`, 'g');

/** The components that something refers to, directly or by another component, in the order of their names. */
function referredTo<Component extends object>(
  path: string,
  from: object,
  components: Record<string, Component>,
): Record<string, Component> {
  const found = new Set<string>();
  const visit = (part: object) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(reference(path))) {
      if (found.has(name)) continue;
      found.add(name);
      visit(components[name] ?? {});
    }
  };
  visit(from);
  return Object.fromEntries(
    [...found].toSorted().flatMap((name) => (name in components ? [[name, components[name]!]] : [])),
  );
}

/** Headers of each reply to a program. */
const programHeaders: Readonly<Record<string, object>> = {
  RateLimit: {
    description:
      'How many requests are left (`r`) of each limit that the request counts for, and for how many seconds (`t`).',
    schema: { type: 'string' },
    example: '"api";r=598;t=60, "network-upload";r=118;t=42',
  },
  'RateLimit-Policy': {
    description: 'How many requests (`q`) each of these limits takes in so many seconds (`w`).',
    schema: { type: 'string' },
    example: '"api";q=600;w=60, "network-upload";q=120;w=60',
  },
  'Packshot-Version': {
    description: 'The version of the API, by its date.',
    schema: { type: 'string' },
    example: v1Versions.at(-1),
  },
};
/** Headers that only the replies of one operation have. */
const headersOfOperations: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  'exports.get': {
    'Packshot-Failed-Rules': {
      description: 'The rules of the preset that the file does not obey; not there when it obeys all.',
      schema: { type: 'string' },
      example: '"Background", "Product size"',
    },
  },
};
const headersOfPrograms = Object.fromEntries(
  Object.keys(programHeaders).map((name) => [name, { $ref: headerPath + name }]),
);

function finishOperation(operation: Operation, bodies: Bodies): Operation {
  const { requestBody, responses, operationId = '', security = [] } = operation;
  const { encoding, example, orJson } = bodies.get(operationId) ?? {};
  const isOfPrograms = security.some((scheme) => 'apiKey' in scheme);
  return {
    ...operation,
    ...(requestBody && {
      requestBody: {
        required: !Object.values(requestBody.content).some(({ schema }) => acceptsNull(schema)),
        content: {
          ...(orJson && { 'application/json': orJson }),
          ...mapValues(requestBody.content, (media) => ({
            ...media,
            ...(encoding && { encoding }),
            ...(example && { example }),
          })),
        },
      },
    }),
    responses: Object.fromEntries(
      Object.entries(responses)
        .flatMap(([status, response]) => finishResponse(status, response))
        .map(([status, response]) => [
          status,
          isOfPrograms && !('$ref' in response)
            ? { ...response, headers: { ...headersOfPrograms, ...headersOfOperations[operationId] } }
            : response,
        ]),
    ),
  };
}

/** @returns the replies with their statuses; `default` is the errors that the route does not name, never a success */
function finishResponse(
  status: string,
  response: Response | { $ref: string },
): [string, Response | { $ref: string }][] {
  const $ref = responsePath + errorName(status);
  if (status === 'default')
    return [
      ['4XX', { $ref }],
      ['5XX', { $ref }],
    ];
  if ('$ref' in response) return [[status, response]];
  if (response.content?.['application/json']?.schema.$ref === errorReply) return [[status, { $ref }]];
  const { description } = response;
  return [
    [
      status,
      { ...response, description: description === noDescription ? STATUS_CODES[status]! : description! },
    ],
  ];
}

/** Whether a request may have no body. */
function acceptsNull(schema: object): boolean {
  return 'anyOf' in schema && (schema.anyOf as { type?: string }[]).some(({ type }) => type === 'null');
}

/**
 * fastify-type-provider-zod gives each schema two names: `X` in replies and `XInput` in requests. The second one is needed
 * only where both are used and differ.
 * @returns by `XInput` the name `X`, where that is enough
 */
function plainNames(schemas: Record<string, object>): ReadonlyMap<string, string> {
  return new Map(
    Object.keys(schemas).flatMap((name) => {
      const plain = name.replace(/Input$/, '');
      const inReplies = schemas[plain];
      const isEnough = !inReplies || JSON.stringify(inReplies) === JSON.stringify(schemas[name]);
      return plain !== name && isEnough ? [[name, plain]] : [];
    }),
  );
}
