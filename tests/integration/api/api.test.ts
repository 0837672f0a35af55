/** Rows 15 to 22 of the API's wrong input, and more of their kind: each refused whole, in one shape, in our own words. */
import { expect } from 'vitest';
import { type ErrorCode, type GenerationList, type GenerationView, limits, paths } from '#contract';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { multipart, type Part } from '#tests/support/multipart.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { type RawRequest, sendBytes, sendRaw } from '#tests/support/raw-http.ts';
import type { Answer, Seller } from '#tests/support/seller.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

const test = testWithSharedSeller({ workers: 0 });

type Expected = { field?: string; message?: string };
const send = (seller: Seller, parts: readonly Part[]): Promise<Answer<unknown>> =>
  seller.request(paths.generations, { method: 'POST', ...multipart(parts) });
const photoPart = async (): Promise<Part> => ({
  name: 'images',
  fileName: 'a.png',
  value: await samplePhoto(),
});
const prompt: Part = { name: 'prompt', value: 'On a table' };
const field = (name: string, value: string | Buffer, type?: string): Part => ({
  name,
  value,
  ...(type ? { type } : {}),
});
const unknown = (name: string) => ({ field: name, message: `The field "${name}" is not known.` });

const refusedFields: [what: string, parts: Part[], code: ErrorCode, expected?: Expected][] = [
  ['no description', [], 'PROMPT_REQUIRED'],
  ['an empty description', [field('prompt', '')], 'PROMPT_REQUIRED'],
  ['a blank description', [field('prompt', ' \t\r\n \u3000')], 'PROMPT_REQUIRED'],
  ['a description of 4,001 characters', [field('prompt', 'x'.repeat(4_001))], 'PROMPT_INVALID'],
  ['a description of a megabyte', [field('prompt', 'x'.repeat(1_000_000))], 'PROMPT_INVALID'],
  ['NUL in the description', [field('prompt', 'On a\0 table')], 'PROMPT_INVALID'],
  ['an escape sequence in the description', [field('prompt', 'On a \u001b[31mtable')], 'PROMPT_INVALID'],
  [
    'a description in Latin-1 that says it is UTF-8',
    [field('prompt', Buffer.from('Caf\xe9', 'latin1'))],
    'PROMPT_INVALID',
  ],
  [
    'an object where the description belongs',
    [field('prompt', '{"$gt":""}', 'application/json')],
    'VALIDATION',
    { field: 'prompt' },
  ],
  [
    'a list where the description belongs',
    [field('prompt', '["a"]', 'application/json')],
    'VALIDATION',
    { field: 'prompt' },
  ],
  [
    'an object where the name belongs',
    [prompt, field('productName', '{"$gt":""}', 'application/json')],
    'VALIDATION',
    { field: 'productName' },
  ],
  ['broken JSON in a part', [field('prompt', '{"a', 'application/json')], 'BAD_JSON'],
  ['prompt[$gt]', [prompt, field('prompt[$gt]', '')], 'VALIDATION', unknown('prompt[$gt]')],
  ['n of -1', [prompt, field('n', '-1')], 'VALIDATION', { field: 'n' }],
  ['n of 0', [prompt, field('n', '0')], 'VALIDATION', { field: 'n' }],
  ['n of 1.5', [prompt, field('n', '1.5')], 'VALIDATION', { field: 'n' }],
  ['n of 2', [prompt, field('n', '2')], 'VALIDATION', { field: 'n' }],
  ['n of 1e9', [prompt, field('n', '1e9')], 'VALIDATION', { field: 'n' }],
  ['n of NaN', [prompt, field('n', 'NaN')], 'VALIDATION', { field: 'n' }],
  ['n of Infinity', [prompt, field('n', 'Infinity')], 'VALIDATION', { field: 'n' }],
  ['n of nothing', [prompt, field('n', '')], 'VALIDATION', { field: 'n' }],
  ['n as a word', [prompt, field('n', 'one')], 'VALIDATION', { field: 'n' }],
  ['credits', [prompt, field('credits', '1000')], 'VALIDATION', unknown('credits')],
  ['profile', [prompt, field('profile', 'somebody')], 'VALIDATION', unknown('profile')],
  ['size', [prompt, field('size', '9999x9999')], 'VALIDATION', unknown('size')],
  [
    'a name of 81 characters',
    [prompt, field('productName', 'x'.repeat(81))],
    'VALIDATION',
    { field: 'productName' },
  ],
  ['NUL in the name', [prompt, field('productName', 'a\0b')], 'VALIDATION', { field: 'productName' }],
  [
    'the description twice',
    [prompt, prompt],
    'VALIDATION',
    { field: 'prompt', message: 'The field "prompt" was sent twice.' },
  ],
  [
    'n twice',
    [prompt, field('n', '1'), field('n', '1')],
    'VALIDATION',
    { field: 'n', message: 'The field "n" was sent twice.' },
  ],
  ['__proto__', [prompt, field('__proto__', 'x')], 'VALIDATION'],
  ['constructor', [prompt, field('constructor', 'x')], 'VALIDATION'],
  [
    'a field name of 300 characters',
    [prompt, field('x'.repeat(300), 'x')],
    'VALIDATION',
    unknown('x'.repeat(60)),
  ],
];

test.for(refusedFields)('%s', async ([, parts, code, expected], { stack, seller }) => {
  expectError(await send(seller, [...parts, await photoPart()]), code, expected);
  expectError(await send(seller, [await photoPart(), ...parts]), code, expected);
  await expectNothingLeft(stack, seller.id);
});

const acceptedFields: [what: string, parts: Part[], prompt: string][] = [
  ['a description of exactly 4,000 characters', [field('prompt', 'x'.repeat(4_000))], 'x'.repeat(4_000)],
  [
    'a description of 4,000 characters of other scripts',
    [field('prompt', '木'.repeat(4_000))],
    '木'.repeat(4_000),
  ],
  [
    'line breaks, which a browser doubles',
    [field('prompt', `${'x'.repeat(3_998)}\r\ny`)],
    `${'x'.repeat(3_998)}\ny`,
  ],
  ['markup, kept as it is', [field('prompt', '<script>alert(1)</script>')], '<script>alert(1)</script>'],
  ['an operator as text', [field('prompt', '{"$gt":""}')], '{"$gt":""}'],
  [
    'a description in Latin-1 that says so',
    [field('prompt', Buffer.from('Caf\xe9', 'latin1'), 'text/plain; charset=iso-8859-1')],
    'Café',
  ],
];

test.for(acceptedFields)('accepted: %s', async ([, parts, expected], { stack }) => {
  const other = await stack.seller();
  const form = multipart([...parts, await photoPart()]);
  const answer = await other.request<GenerationView>(paths.generations, { method: 'POST', ...form });
  expect(answer).toMatchObject({ status: 202, body: { prompt: expected } });
});

const json = { 'content-type': 'application/json' };
const signIn = (body: string, headers: Record<string, string> = json): RawRequest => ({
  method: 'POST',
  path: paths.session,
  headers,
  body,
});
const nested = '['.repeat(20_000) + ']'.repeat(20_000);

/** Requests as they go over the wire; each gets the seller's token. */
const refusedRequests: [what: string, request: RawRequest, code: ErrorCode, expected?: Expected][] = [
  ['broken JSON', signIn('{"email":'), 'BAD_JSON'],
  ['JSON of nothing', signIn(''), 'BAD_JSON'],
  ['JSON that poisons a prototype', signIn('{"__proto__":{"admin":true}}'), 'BAD_JSON'],
  ['JSON with a poisoned constructor', signIn('{"constructor":{"prototype":{"admin":true}}}'), 'BAD_JSON'],
  ['JSON of one word', signIn('"word"'), 'VALIDATION'],
  ['JSON of null', signIn('null'), 'VALIDATION'],
  ['JSON of a list', signIn('[]'), 'VALIDATION'],
  ['JSON nested 20,000 deep', signIn(nested), 'VALIDATION'],
  ['JSON of 65 kB', signIn(JSON.stringify({ email: 'x'.repeat(limits.jsonBytes) })), 'BODY_TOO_LARGE'],
  ['no body at all', { method: 'POST', path: paths.session }, 'VALIDATION'],
  [
    'JSON that says it is text',
    signIn('{"email":"a@b.example","password":"x"}', { 'content-type': 'text/plain' }),
    'MEDIA_TYPE_UNSUPPORTED',
  ],
  [
    'a form where JSON belongs',
    signIn('email=a', { 'content-type': 'application/x-www-form-urlencoded' }),
    'MEDIA_TYPE_UNSUPPORTED',
  ],
  ['XML', signIn('<a/>', { 'content-type': 'application/xml' }), 'MEDIA_TYPE_UNSUPPORTED'],
  ['a content type that is none', signIn('{}', { 'content-type': 'nonsense' }), 'MEDIA_TYPE_UNSUPPORTED'],
  [
    'a multipart body where JSON belongs',
    { method: 'POST', path: paths.session, ...multipart([prompt]) },
    'MEDIA_TYPE_UNSUPPORTED',
  ],
  [
    'JSON where the form belongs',
    { method: 'POST', path: paths.generations, headers: json, body: '{"prompt":"x"}' },
    'MEDIA_TYPE_UNSUPPORTED',
  ],
  ['no body where the form belongs', { method: 'POST', path: paths.generations }, 'MEDIA_TYPE_UNSUPPORTED'],
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
    unknown('role'),
  ],
  ['limit=0', list('limit=0'), 'VALIDATION', { field: 'limit' }],
  ['limit=-1', list('limit=-1'), 'VALIDATION', { field: 'limit' }],
  ['limit=101', list('limit=101'), 'VALIDATION', { field: 'limit' }],
  ['limit=1000', list('limit=1000'), 'VALIDATION', { field: 'limit' }],
  ['limit=1.5', list('limit=1.5'), 'VALIDATION', { field: 'limit' }],
  ['limit=many', list('limit=many'), 'VALIDATION', { field: 'limit' }],
  ['limit twice', list('limit=1&limit=2'), 'VALIDATION', { field: 'limit' }],
  ['a cursor that is none', list('cursor=garbage'), 'VALIDATION', { field: 'cursor' }],
  ['an empty cursor', list('cursor='), 'VALIDATION', { field: 'cursor' }],
  ['a cursor of 10 kB', list(`cursor=${'x'.repeat(10_000)}`), 'VALIDATION', { field: 'cursor' }],
  ['a cursor with an operator', list('cursor[$gt]='), 'VALIDATION', unknown('cursor[$gt]')],
  ['an unknown query field', list('profile=somebody'), 'VALIDATION', unknown('profile')],
  ['an unknown path', { path: '/api/nothing' }, 'NOT_FOUND'],
  ['the API itself', { path: '/api', headers: { accept: 'text/html' } }, 'NOT_FOUND'],
  [
    'an unknown path that a browser opens',
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
  ['a path that is no URL', { path: '/api/generations/%zz' }, 'NOT_FOUND'],
  ['a path that is no UTF-8', { path: '/api/generations/%ff%fe' }, 'NOT_FOUND'],
  ['an address in the path', { path: 'http://elsewhere.example/api/nothing' }, 'NOT_FOUND'],
  ['a key of 201 characters', keyed('x'.repeat(201)), 'VALIDATION', badKey()],
  ['an empty key', keyed(''), 'VALIDATION', badKey()],
  ['a key with a space', keyed('a b'), 'VALIDATION', badKey()],
  ['a key of other letters', keyed('schl\u00fcssel'), 'VALIDATION', badKey()],
  ['two keys', keyed(['a', 'b']), 'VALIDATION', badKey()],
];

function list(query: string): RawRequest {
  return { path: `${paths.generations}?${query}` };
}

function keyed(key: string | string[]): RawRequest {
  const { headers, body } = multipart([prompt]);
  return { method: 'POST', path: paths.generations, headers: { ...headers, 'idempotency-key': key }, body };
}

function badKey(): Expected {
  return {
    field: 'Idempotency-Key',
    message: 'The Idempotency-Key must have 1 to 200 visible ASCII characters.',
  };
}

test.for(refusedRequests)('%s', async ([, request, code, expected], { stack, seller }) => {
  const headers = { authorization: `Bearer ${seller.token}`, ...request.headers };
  expectError(await sendRaw(stack.url, { ...request, headers }), code, expected);
});

test('a header of 10 kB is read, one of 100 kB is refused, and so is what is no HTTP', async ({
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

test("another seller's generation, a malformed id and a way out of the folder are all as absent as each other", async ({
  stack,
  seller,
}) => {
  const owner = await stack.seller();
  const { id } = await owner.submit();
  const ids = [
    id,
    'ffffffffffffffffffffffff',
    'x',
    'null',
    '[object Object]',
    '{"$gt":""}',
    '%7B%22%24ne%22%3Anull%7D',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e%2f%2e%2e',
    '%252e%252e%252f',
    `${id}%00`,
    `${id}%2e%2e`,
    '%00',
    'a'.repeat(1_000),
  ];
  const names = [
    'image',
    'photo-0',
    'photo-9',
    'photo--1',
    'preview-1-0',
    '..%2fphoto-0.png',
    '%252e%252e%252fphoto-0',
    'photo-0%00',
    'photo-0.png',
    '%2e%2e',
    'photo-0-thumbnail-thumbnail',
  ];
  const authorization = `Bearer ${seller.token}`;
  const answers = await Promise.all([
    ...ids.map((each) =>
      sendRaw(stack.url, { path: paths.generation(encoded(each)), headers: { authorization } }),
    ),
    ...ids.map((each) =>
      sendRaw(stack.url, {
        path: paths.cancelGeneration(encoded(each)),
        method: 'POST',
        headers: { authorization },
      }),
    ),
    ...ids.flatMap((each) =>
      names.map((name) =>
        sendRaw(stack.url, { path: paths.generationImage(encoded(each), name), headers: { authorization } }),
      ),
    ),
    // The owner has the photo, and nothing else under another name.
    ...names
      .filter((name) => name !== 'photo-0')
      .map((name) =>
        sendRaw(stack.url, {
          path: paths.generationImage(id, name),
          headers: { authorization: `Bearer ${owner.token}` },
        }),
      ),
  ]);
  for (const answer of answers) expectError(answer, 'NOT_FOUND');
  for (const path of [
    `${paths.generationImage(id, '')}../../../../etc/passwd`,
    '/..%2f..%2fpackage.json',
    '/../package.json',
    '/assets/..%2f..%2f..%2fpackage.json',
  ]) {
    const answer = await sendRaw(stack.url, { path, headers: { authorization: `Bearer ${owner.token}` } });
    expectError(answer, 'NOT_FOUND');
  }
  expect((await owner.generation(id)).state).toBe('queued');
});

/** What a path must not carry as it is. */
function encoded(id: string): string {
  return id.includes('%') ? id : encodeURIComponent(id);
}

test('HEAD answers as GET does, without a body', async ({ stack }) => {
  const own = await stack.seller();
  const { photos } = await own.submit();
  for (const [path, status] of [
    [paths.me, 200],
    [paths.generations, 200],
    [photos[0]!.url, 200],
    [paths.generation('x'), 404],
    ['/api/nothing', 404],
    ['/healthz', 200],
  ] as const) {
    const headers = { authorization: `Bearer ${own.token}` };
    const answer = await fetch(stack.url + path, { method: 'HEAD', headers });
    expect(await answer.text()).toBe('');
    expect([path, answer.status]).toEqual([path, status]);
  }
  expect(await fetch(stack.url + paths.me, { method: 'HEAD' })).toMatchObject({ status: 401 });
});

test('pages of the list join without a gap, and a page asked for again is the same', async ({ stack }) => {
  const own = await stack.seller();
  const submitted: string[] = [];
  for (let count = 0; count < 5; count += 1) submitted.unshift((await own.submit()).id);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const path: string = `${paths.generations}?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`;
    const { body } = await own.request<GenerationList>(path);
    expect((await own.request<GenerationList>(path)).body).toEqual(body);
    seen.push(...body.generations.map(({ id }) => id));
    cursor = body.nextCursor;
  } while (cursor !== null);
  expect(seen).toEqual(submitted);
});
