import { expect, test } from 'vitest';
import { type Bodies, finishDocument, type OpenApiDocument, partOfDocument } from './openapi-document.ts';

const json = (schema: object) => ({ 'application/json': { schema } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const error = { description: 'Default Response', content: json(ref('ErrorReply')) };

/** A document with one operation, and what its route gave @fastify/swagger. */
const documentWith = (
  operation: { requestBody?: object; responses?: object },
  schemas: Record<string, object> = {},
): OpenApiDocument =>
  ({
    paths: { '/x': { post: { operationId: 'makeX', responses: {}, ...operation } } },
    components: { schemas: { ErrorReply: { type: 'object' }, ...schemas } },
  }) as OpenApiDocument;
const finish = (document: OpenApiDocument, bodies: Bodies = new Map()) => {
  const finished = finishDocument(document, bodies);
  return { ...finished, operation: finished.paths!['/x']!.post! };
};

test('error replies are defined once, by their status, and those that nothing refers to are left out', () => {
  const { operation, components } = finish(
    documentWith({
      responses: { 204: { description: 'Default Response' }, 404: error, 429: error, default: error },
    }),
  );
  const of = (name: string) => ({ $ref: `#/components/responses/${name}` });
  expect(operation.responses).toEqual({
    204: { description: 'No Content' },
    404: of('NotFound'),
    429: of('TooManyRequests'),
    '4XX': of('AnyError'),
    '5XX': of('AnyError'),
  });
  const { responses, schemas } = components!;
  expect(Object.keys(responses!)).toEqual(['AnyError', 'NotFound', 'TooManyRequests']);
  expect(responses!.NotFound).toMatchObject({ description: expect.stringContaining('`NOT_FOUND`') });
  expect(responses!.TooManyRequests).toHaveProperty('headers.Retry-After');
  expect(schemas).toEqual({ ErrorReply: { type: 'object' } });
});

test('a reply with a shape of its own stays, also under the status of an error', () => {
  const own = { description: 'Not ready', content: json({ type: 'string' }) };
  expect(finish(documentWith({ responses: { 503: own } })).operation.responses).toEqual({ 503: own });
});

test('schemas have their plain name, unless requests and replies differ', () => {
  const { operation, components } = finish(
    documentWith(
      {
        requestBody: { content: json(ref('OrderInput')) },
        responses: { 200: { description: 'x', content: json(ref('Shop')) } },
      },
      {
        Order: { never: 'used' },
        OrderInput: { properties: { kind: ref('KindInput'), size: ref('SizeInput') } },
        Shop: { properties: { kind: ref('Kind'), size: ref('Size') } },
        ShopInput: { never: 'used' },
        Kind: { enum: ['a'] },
        KindInput: { enum: ['a'] },
        Size: { enum: ['s'] },
        SizeInput: { enum: ['s', 'm'] },
      },
    ),
  );
  expect(operation.requestBody!.content).toEqual(json(ref('Order')));
  expect(components!.schemas).toEqual({
    Kind: { enum: ['a'] },
    Order: { properties: { kind: ref('Kind'), size: ref('SizeInput') } },
    Shop: { properties: { kind: ref('Kind'), size: ref('Size') } },
    Size: { enum: ['s'] },
    SizeInput: { enum: ['s', 'm'] },
  });
});

test('a body that may be missing is not required; the parts of a form have their encoding', () => {
  const optional = documentWith({
    requestBody: { required: true, content: json({ anyOf: [{ type: 'object' }, { type: 'null' }] }) },
  });
  expect(finish(optional).operation.requestBody!.required).toBe(false);
  const content = { 'multipart/form-data': { schema: { type: 'object' } } };
  const encoding = { images: { contentType: 'image/png' } };
  const bodyOf = (orJson?: { schema: object }) =>
    finish(documentWith({ requestBody: { content } }), new Map([['makeX', { encoding, orJson }]])).operation
      .requestBody;
  const form = { 'multipart/form-data': { schema: { type: 'object' }, encoding } };
  expect(bodyOf()).toEqual({ required: true, content: form });
  expect(bodyOf({ schema: ref('Order') })).toEqual({
    required: true,
    content: { ...json(ref('Order')), ...form },
  });
});

test('a part of a document has what its paths use, and nothing else', () => {
  const operation = (tag: string, scheme: string, schema: string) => ({
    post: {
      tags: [tag],
      security: [{ [scheme]: ['all'] }],
      responses: { 200: { description: 'x', content: json(ref(schema)) }, 404: error },
    },
  });
  const whole = finishDocument(
    {
      tags: [{ name: 'one' }, { name: 'two' }],
      paths: { '/v1/a': operation('one', 'key', 'Inner'), '/b': operation('two', 'cookie', 'Other') },
      components: {
        securitySchemes: { key: {}, cookie: {} },
        schemas: { ErrorReply: {}, Inner: { properties: { deep: ref('Deep') } }, Deep: {}, Other: {} },
      },
    } as unknown as OpenApiDocument,
    new Map(),
  );
  const { tags, paths, components } = partOfDocument(whole, '/v1/');
  expect(tags).toEqual([{ name: 'one' }]);
  expect(Object.keys(paths!)).toEqual(['/v1/a']);
  expect(Object.keys(components!.securitySchemes!)).toEqual(['key']);
  expect(Object.keys(components!.schemas!).toSorted()).toEqual(['Deep', 'ErrorReply', 'Inner']);
});
