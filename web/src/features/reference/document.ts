import { z } from 'zod';
import { v1Paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** The parts of JSON Schema that the document of the API uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  format?: string;
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  examples?: unknown[];
}

interface Content {
  schema?: Schema;
  example?: unknown;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface Reply {
  $ref?: string;
  description?: string;
  content?: Record<string, Content>;
}

interface DocumentedOperation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Reply>;
  security?: Record<string, string[]>[];
}

export interface Operation extends DocumentedOperation {
  method: string;
  path: string;
}

export interface ApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Reply> };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
/** The server makes the document from the schemas of its routes, so its parts are not checked again. */
const documentSchema = z.custom<ApiDocument>(
  (value) => isObject(value) && isObject(value.paths) && isObject(value.components),
);

/** The document of the API for programs. @throws ApiError */
export function fetchDocument(signal?: AbortSignal): Promise<ApiDocument> {
  return callApi('GET', v1Paths.document, documentSchema, { signal });
}

/** The operations by what they are about: the part of their ids before the dot, such as `generations`. */
export function groupsOf({ paths }: ApiDocument): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [name = ''] = operation.operationId.split('.');
      const group = groups.get(name) ?? [];
      group.push({ ...operation, method: method.toUpperCase(), path });
      groups.set(name, group);
    }
  }
  return groups;
}

/** What a reference such as `#/components/schemas/V1Set` leads to; the schema itself if it is none. */
export function resolve<Part extends { $ref?: string }>(document: ApiDocument, part: Part): Part {
  if (part.$ref === undefined) return part;
  const [, , kind, name] = part.$ref.split('/') as [string, string, keyof ApiDocument['components'], string];
  return document.components[kind][name] as Part;
}

/** The alternatives of a schema without `null`, resolved; one if there is no choice. */
function alternativesOf(document: ApiDocument, given: Schema): Schema[] {
  const schema = resolve(document, given);
  const choice = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (!choice) return schema.type === 'null' ? [] : [schema];
  return choice.flatMap((each) => alternativesOf(document, each));
}

const isNullable = (document: ApiDocument, given: Schema): boolean => {
  const schema = resolve(document, given);
  if (schema.type === 'null' || (Array.isArray(schema.type) && schema.type.includes('null'))) return true;
  return (schema.anyOf ?? schema.oneOf ?? []).some((each) => isNullable(document, each));
};

const formats: Readonly<Record<string, string>> = {
  binary: 'file',
  'date-time': 'date and time',
  date: 'day',
  uri: 'address',
};

/** The type of a schema in a few words, such as `list of text` or `"high", "low" or null`. */
export function typeOf(document: ApiDocument, given: Schema): string {
  const names = alternativesOf(document, given).flatMap((schema) => {
    if (schema.const !== undefined) return [JSON.stringify(schema.const)];
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value));
    const type = [schema.type].flat().find((each) => each !== 'null');
    if (type === 'array') return [`list of ${schema.items ? typeOf(document, schema.items) : 'anything'}`];
    if (type === 'string') return [formats[schema.format ?? ''] ?? 'text'];
    if (type === 'boolean') return ['true or false'];
    return [type === 'integer' ? 'whole number' : (type ?? 'anything')];
  });
  const all = [...new Set(isNullable(document, given) ? [...names, 'null'] : names)];
  return all.length < 2 ? (all[0] ?? 'null') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}

/** The limits of a schema and its default, such as `1 to 4`. */
export function limitsOf(document: ApiDocument, given: Schema): string[] {
  const { minimum, maximum, maxLength, maxItems, default: usual, enum: choices } = resolve(document, given);
  const most = Number.MAX_SAFE_INTEGER;
  const hasRange = !choices && maximum !== undefined && maximum < most;
  return [
    ...(hasRange ? [`${minimum ?? 0} to ${maximum.toLocaleString('en')}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength.toLocaleString('en')} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems.toLocaleString('en')}`]),
    ...(usual === undefined || usual === '' ? [] : [`otherwise ${JSON.stringify(usual)}`]),
  ];
}

/** A field of an object. */
export interface FieldOf {
  name: string;
  required: boolean;
  schema: Schema;
}

/** The fields of an object, or of the objects in a list. */
export function fieldsOf(document: ApiDocument, given: Schema): FieldOf[] {
  return alternativesOf(document, given).flatMap((schema) => {
    if (schema.items) return fieldsOf(document, schema.items);
    return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
      name,
      required: schema.required?.includes(name) ?? false,
      schema: field,
    }));
  });
}

/** The example of what is sent or answered as JSON; undefined if there is none. */
export function exampleOf(document: ApiDocument, content: Content | undefined): unknown {
  if (!content) return undefined;
  return content.example ?? (content.schema && resolve(document, content.schema).examples?.[0]);
}

const answersWith = ({ responses }: Operation, type: string) =>
  Object.values(responses).some(({ content = {} }) => type in content);

/** Whether an operation can be tried here: it only reads, and its answer ends. */
export const canBeTried = (operation: Operation) =>
  operation.method === 'GET' && !answersWith(operation, 'text/event-stream');

/** A text as an argument of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * How an operation is called with curl.
 * @param origin address of Packshot
 * @param key an API key
 */
export function curlOf(document: ApiDocument, operation: Operation, origin: string, key: string): string {
  const { method, path, requestBody, parameters = [] } = operation;
  const content = requestBody?.content ?? {};
  const json = exampleOf(document, content['application/json']);
  const needed = parameters.filter((each) => each.in === 'query' && each.required);
  const query = needed.map(({ name }) => `${name}=<${name}>`).join('&');
  const address = `${origin}${path.replace(/\{(\w+)\}/g, '<$1>')}${query && `?${query}`}`;
  const isFile = Object.values(operation.responses).some(({ content: reply = {} }) =>
    Object.keys(reply).some((type) => type !== 'application/json'),
  );
  return [
    `curl -sS ${answersWith(operation, 'text/event-stream') ? '-N ' : isFile ? '-OJ ' : ''}${method === 'GET' ? '' : `-X ${method} `}${quoted(address)}`,
    `-H ${quoted(`Authorization: Bearer ${key}`)}`,
    ...(parameters.some(({ name }) => name === 'Idempotency-Key')
      ? ["-H 'Idempotency-Key: <a new one for each request>'"]
      : []),
    ...(json === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(json))}`]),
  ].join(' \\\n  ');
}

/** The address of an operation with values for its parameters; those that are empty are left out. */
export function addressOf(
  { path, parameters = [] }: Operation,
  values: Readonly<Record<string, string>>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = new URLSearchParams(
    parameters
      .filter((each) => each.in === 'query' && values[each.name])
      .map(({ name }) => [name, values[name]!]),
  ).toString();
  return query === '' ? filled : `${filled}?${query}`;
}
