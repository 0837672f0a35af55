import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { AppError } from '#shared/platform/errors.ts';
import type { App } from './app-type.ts';
import { parseJsonBodies } from './json-body.ts';

/** @returns the status and the body as it was parsed */
async function send(payload: string, most = 10) {
  const app = Fastify() as unknown as App;
  parseJsonBodies(app);
  app.setErrorHandler((error, _request, reply) =>
    reply.status(error instanceof AppError ? error.status : 400).send({}),
  );
  app.post('/', { config: { jsonValues: { most } } }, (request) => ({ parsed: request.body }));
  const reply = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/json' },
    payload,
  });
  return { status: reply.statusCode, parsed: reply.json().parsed };
}

test.each([
  ['commas and brackets in a text', { text: ',[{'.repeat(100) }],
  ['quotes in a text', { text: '",[{'.repeat(100), more: '\\",'.repeat(9) }],
  ['a text that ends with a backslash', { text: `${'\\'.repeat(9)}`, more: ',,,,,,,,,,,,,' }],
  ['ten values', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
])('%s are not too many values', async (_, body) => {
  expect(await send(JSON.stringify(body))).toEqual({ status: 200, parsed: body });
});

test.each([
  ['eleven values', '[1,2,3,4,5,6,7,8,9,10,11]'],
  ['arrays in arrays', `${'['.repeat(11)}${']'.repeat(11)}`],
  ['eleven fields', JSON.stringify(Object.fromEntries([...'abcdefghijk'].map((name) => [name, 0])))],
  ['what is no JSON at all', '"\\" " [[[[[[[[[[['],
])('%s are refused', async (_, body) => {
  expect((await send(body)).status).toBe(413);
});

test('a text that never ends is no JSON', async () => {
  expect((await send(`["${'\\"['.repeat(100)}`)).status).toBe(400);
  expect((await send('["\\')).status).toBe(400);
});
