/** Methods that a route does not have: whatever the body, they are answered as what does not exist. */
import { METHODS } from 'node:http';
import { expect } from 'vitest';
import { paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { sendBytes, sendRaw } from '#tests/support/raw-http.ts';
import { routesOf } from '#tests/support/routes.ts';
import { writeSmallSite } from '#tests/support/small-site.ts';
import { temporaryFolder, testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 })
  .extend('site', { scope: 'file' }, ({ stack }, { onCleanup }) => temporaryFolder(stack, onCleanup))
  .extend('server', { scope: 'file' }, async ({ stack, site }) => {
    await writeSmallSite(site, { 'own.js': '1' });
    return stack.startServer({}, site);
  });

/** A tunnel, which Node gives to no route. */
const methods = METHODS.filter((method) => method !== 'CONNECT');

/** Each with a content type that some parser takes, and with none. */
const bodies: { headers?: Record<string, string>; payload?: string }[] = [
  {},
  { payload: 'x' },
  { headers: { 'content-type': 'application/json' } },
  { headers: { 'content-type': 'application/json' }, payload: '{' },
  { headers: { 'content-type': 'multipart/form-data' }, payload: 'x' },
  { headers: { 'content-type': 'nonsense' }, payload: 'x' },
];

/** Whether a pattern such as `/api/looks/:id` takes a path. */
const takes = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`).test(path);

test('every method that a route does not have is 404, with and without a body', async ({ stack, server }) => {
  const { token } = await stack.seller();
  const routes = routesOf(server.app);
  const addresses = new Set(routes.map(({ path }) => path.replace(/:\w+/g, 'x').replace('*', 'x')));
  const wrong: unknown[] = [];
  for (const url of addresses) {
    const known = new Set(routes.flatMap(({ path, methods: own }) => (takes(path, url) ? own : [])));
    for (const method of methods.filter((each) => !known.has(each))) {
      for (const { headers = {}, payload } of bodies) {
        const { statusCode } = await server.app.inject({
          method: method as 'GET',
          url,
          headers: { authorization: `Bearer ${token}`, ...headers },
          ...(payload !== undefined && { payload }),
        });
        if (statusCode !== 404) wrong.push([method, url, headers, payload, statusCode]);
      }
    }
  }
  expect(addresses.size).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});

test('methods over HTTP: those that no route has, in lower case, and made up', async ({ server }) => {
  for (const path of [paths.me, '/', '/nothing']) {
    for (const method of ['QUERY', 'TRACE', 'PROPFIND', 'M-SEARCH', 'PURGE', 'OPTIONS']) {
      expectError(await sendRaw(server.url, { method, path }), 'NOT_FOUND');
      const headers = { 'content-type': 'application/json', 'content-length': '2' };
      const body = { method, path, headers, body: '{}' };
      expectError(await sendRaw(server.url, body), 'NOT_FOUND');
    }
    for (const method of ['query', 'get', 'Get', 'MADEUP', 'G\u00cbT']) {
      const answer = await sendBytes(server.url, `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expectError(answer, 'BAD_REQUEST');
    }
  }
});
