/** Requests that are refused: bodies, queries, paths, methods, headers and idempotency keys (docs/errors.md). */
import { expect } from 'vitest';
import { type ErrorCode, limits, paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { promptPart, unknownField } from '#tests/support/form-parts.ts';
import { multipart } from '#tests/support/multipart.ts';
import { type RawRequest, sendBytes, sendRaw } from '#tests/support/raw-http.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

const test = testWithSharedSeller({ workers: 0 });

type Expected = { field?: string; message?: string };

const json = { 'content-type': 'application/json' };
const signIn = (body: string, headers: Record<string, string> = json): RawRequest => ({
  method: 'POST',
  path: paths.session,
  headers,
  body,
});
const nested = '['.repeat(20_000) + ']'.repeat(20_000);

/** Raw requests. The seller's token is added to each. */
type RefusedRequest = [what: string, request: RawRequest, code: ErrorCode, expected?: Expected];
const refusedRequests: RefusedRequest[] = [
  ['broken JSON', signIn('{"email":'), 'BAD_JSON'],
  ['an empty body declared as JSON', signIn(''), 'BAD_JSON'],
  ['JSON that poisons a prototype', signIn('{"__proto__":{"admin":true}}'), 'BAD_JSON'],
  ['JSON with a poisoned constructor', signIn('{"constructor":{"prototype":{"admin":true}}}'), 'BAD_JSON'],
  ['JSON of one word', signIn('"word"'), 'VALIDATION'],
  ['JSON of null', signIn('null'), 'VALIDATION'],
  ['JSON of a list', signIn('[]'), 'VALIDATION'],
  ['JSON nested 20,000 deep', signIn(nested), 'BODY_TOO_LARGE'],
  ['JSON of 65 kB', signIn(JSON.stringify({ email: 'x'.repeat(limits.jsonBytes) })), 'BODY_TOO_LARGE'],
  ['no body at all', { method: 'POST', path: paths.session }, 'VALIDATION'],
  [
    'JSON that is declared as text',
    signIn('{"email":"a@b.example","password":"x"}', { 'content-type': 'text/plain' }),
    'MEDIA_TYPE_UNSUPPORTED',
  ],
  [
    'a form instead of JSON',
    signIn('email=a', { 'content-type': 'application/x-www-form-urlencoded' }),
    'MEDIA_TYPE_UNSUPPORTED',
  ],
  ['XML', signIn('<a/>', { 'content-type': 'application/xml' }), 'MEDIA_TYPE_UNSUPPORTED'],
  ['an invalid content type', signIn('{}', { 'content-type': 'unknown' }), 'MEDIA_TYPE_UNSUPPORTED'],
  [
    'a multipart body instead of JSON',
    { method: 'POST', path: paths.session, ...multipart([promptPart]) },
    'MEDIA_TYPE_UNSUPPORTED',
  ],
  [
    'JSON instead of the form',
    { method: 'POST', path: paths.generations, headers: json, body: '{"prompt":"x"}' },
    'MEDIA_TYPE_UNSUPPORTED',
  ],
  ['no body instead of the form', { method: 'POST', path: paths.generations }, 'MEDIA_TYPE_UNSUPPORTED'],
  [
    'a form without its boundary',
    {
      method: 'POST',
      path: paths.generations,
      headers: { 'content-type': 'multipart/form-data' },
      body: 'x',
    },
    'UPLOAD_ABORTED',
  ],
  [
    'an operator as the address',
    signIn('{"email":{"$gt":""},"password":"x"}'),
    'VALIDATION',
    { field: 'email', message: 'Please enter a valid email address' },
  ],
  [
    'an operator as the password',
    signIn('{"email":"a@b.example","password":{"$gt":""}}'),
    'VALIDATION',
    { field: 'password', message: 'Email and password are required' },
  ],
  [
    'an unknown field',
    signIn('{"email":"a@b.example","password":"x","role":"admin"}'),
    'VALIDATION',
    unknownField('role'),
  ],
  ...['0', '-1', '101', '1000', '1.5', 'many', '1&limit=2'].map(
    (value): RefusedRequest => [`limit=${value}`, list(`limit=${value}`), 'VALIDATION', { field: 'limit' }],
  ),
  ['a cursor that is not one of ours', list('cursor=garbage'), 'VALIDATION', { field: 'cursor' }],
  ['an empty cursor', list('cursor='), 'VALIDATION', { field: 'cursor' }],
  ['a cursor of 10 kB', list(`cursor=${'x'.repeat(10_000)}`), 'VALIDATION', { field: 'cursor' }],
  ['a cursor with an operator', list('cursor[$gt]='), 'VALIDATION', unknownField('cursor[$gt]')],
  ['an unknown query field', list('profile=somebody'), 'VALIDATION', unknownField('profile')],
  ['an unknown path', { path: '/api/nothing' }, 'NOT_FOUND'],
  ['the API itself', { path: '/api', headers: { accept: 'text/html' } }, 'NOT_FOUND'],
  [
    'an unknown path opened by a browser',
    { path: '/api/nothing', headers: { accept: 'text/html' } },
    'NOT_FOUND',
  ],
  ['a wrong method', { method: 'PUT', path: paths.me, headers: json, body: '{}' }, 'NOT_FOUND'],
  [
    'a wrong method on a generation',
    { method: 'DELETE', path: paths.generation('0'.repeat(24)) },
    'NOT_FOUND',
  ],
  ['TRACE', { method: 'TRACE', path: paths.me }, 'NOT_FOUND'],
  ['a path that is not valid percent-encoding', { path: '/api/generations/%zz' }, 'NOT_FOUND'],
  ['a path that is not UTF-8', { path: '/api/generations/%ff%fe' }, 'NOT_FOUND'],
  ['a full URL as the path', { path: 'http://elsewhere.example/api/nothing' }, 'NOT_FOUND'],
  ...['x'.repeat(201), '', 'a b', 'schl\u00fcssel', ['a', 'b']].map(
    (key): RefusedRequest => [
      `the key ${JSON.stringify(key).slice(0, 20)}`,
      keyed(key),
      'VALIDATION',
      {
        field: 'Idempotency-Key',
        message: 'The Idempotency-Key must have 1 to 200 visible ASCII characters.',
      },
    ],
  ),
];

function list(query: string): RawRequest {
  return { path: `${paths.generations}?${query}` };
}

function keyed(key: string | string[]): RawRequest {
  const { headers, body } = multipart([promptPart]);
  return { method: 'POST', path: paths.generations, headers: { ...headers, 'idempotency-key': key }, body };
}

test.for(refusedRequests)('%s', async ([, request, code, expected], { stack, seller }) => {
  const headers = { authorization: `Bearer ${seller.token}`, ...request.headers };
  expectError(await sendRaw(stack.url, { ...request, headers }), code, expected);
});

test('a header of 10 kB is accepted; one of 100 kB and bytes that are not HTTP are refused', async ({
  stack,
  seller,
}) => {
  const long = (bytes: number): RawRequest => ({
    path: paths.me,
    headers: { authorization: `Bearer ${seller.token}`, 'x-long': 'x'.repeat(bytes) },
  });
  expect(await sendRaw(stack.url, long(10_000))).toMatchObject({ status: 200 });
  expectError(await sendRaw(stack.url, long(100_000)), 'HEADERS_TOO_LARGE');
  expectError(await sendBytes(stack.url, 'hello\r\n\r\n'), 'BAD_REQUEST');
  expectError(
    await sendBytes(stack.url, 'GET /api/me HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n'),
    'BAD_REQUEST',
  );
  expect(await seller.me()).toMatchObject({ user: { id: seller.id } });
});
