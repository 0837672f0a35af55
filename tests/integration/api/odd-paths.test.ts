/** Paths that name no file: encoded traversal, NUL, broken encodings, endless names. Beside every address of the server. */
import { expect } from 'vitest';
import { errorReplySchema, paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { sendRaw } from '#tests/support/raw-http.ts';
import { routesOf } from '#tests/support/routes.ts';
import { writeSmallSite } from '#tests/support/small-site.ts';
import { temporaryFolder, testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 })
  .extend('site', { scope: 'file' }, ({ stack }, { onCleanup }) => temporaryFolder(stack, onCleanup))
  .extend('server', { scope: 'file' }, async ({ stack, site }) => {
    await writeSmallSite(site, { 'own.js': '1' });
    return stack.startServer({}, site);
  });

const odd = [
  '%2e%2e/',
  '%2e%2e/%2e%2e/package.json',
  '..%2f..%2fpackage.json',
  '%2e%2e%5c%2e%2e%5cpackage.json',
  '..\\..\\package.json',
  '%252e%252e%252fpackage.json',
  '.%2e/x',
  '%2e',
  '%2f',
  '/',
  '%00',
  'own.js%00.png',
  '%',
  '%2',
  '%ff',
  '%e0%a4%a',
  '.env',
  'x'.repeat(300),
  'x'.repeat(8_000),
  `${'x/'.repeat(2_000)}x`,
  '%2e%2e/'.repeat(500),
];

test('a path that names nothing is answered like everything that does not exist', async ({
  stack,
  server,
}) => {
  const { token } = await stack.seller();
  const folders = new Set(
    routesOf(server.app)
      .filter(({ methods }) => methods.includes('GET'))
      .map(({ path }) => path.replace(/:\w+/g, 'x').replace('*', '')),
  );
  // The folders of files, and what is below every other address.
  for (const folder of ['/', '/assets', `${paths.docs}/static`]) folders.add(folder);
  const wrong: unknown[] = [];
  for (const folder of folders) {
    const answers = await Promise.all(
      odd.map(async (segment) => {
        const path = `${folder.replace(/\/$/, '')}/${segment}`;
        const headers = { authorization: `Bearer ${token}` };
        return { path, answer: await sendRaw(server.url, { path, headers }) };
      }),
    );
    for (const { path, answer } of answers) {
      const { status, body } = answer;
      const isError = errorReplySchema.safeParse(body).success;
      if (status >= 500 || (status >= 400 && !isError)) wrong.push([path.slice(0, 100), status]);
    }
  }
  expect(folders.size).toBeGreaterThan(40);
  expect(wrong).toEqual([]);
});

test('headers that no file matches are answered in the error shape, too', async ({ server }) => {
  for (const file of ['/assets/own.js', `${paths.docs}/static/swagger-ui.css`]) {
    for (const [headers, code] of [
      [{ range: 'bytes=99999999-' }, 'RANGE_NOT_SATISFIABLE'],
      [{ 'if-match': '"other"' }, 'BAD_REQUEST'],
      [{ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 'BAD_REQUEST'],
    ] as const) {
      expectError(await sendRaw(server.url, { path: file, headers }), code);
    }
  }
});
