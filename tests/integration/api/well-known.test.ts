/** Addresses that are the same on every site: where to change a password, and whom to tell of a weakness. */
import { expect } from 'vitest';
import { testWithStack } from '#tests/support/test.ts';

const settings = { PUBLIC_URL: 'https://shop.example', SUPPORT_ADDRESS: 'help@müller.example' };
const test = testWithStack({ workers: 0, settings });

const get = (url: string, path: string) => fetch(`${url}/.well-known/${path}`, { redirect: 'manual' });

test('a password manager is led to the page that changes the password', async ({ stack }) => {
  const reply = await get(stack.url, 'change-password');
  expect([reply.status, reply.headers.get('location')]).toEqual([302, '/profile/security#change-password']);
  // By this a password manager finds out whether the answer above means anything.
  const unknown = await get(stack.url, 'resource-that-should-not-exist-whose-status-code-should-not-be-200');
  expect(unknown.status).toBe(404);
});

/** The fields of a security.txt. */
const fieldsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => /^([A-Za-z-]+): (\S.*)$/.exec(line)!.slice(1) as [name: string, value: string]);

test('security.txt names our address, and is valid for less than a year from now', async ({ stack }) => {
  const reply = await get(stack.url, 'security.txt');
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const fields = fieldsOf(await reply.text());
  expect(fields).toEqual([
    ['Contact', 'mailto:help@xn--mller-kva.example'],
    ['Contact', 'https://shop.example/contact?subject=support'],
    ['Expires', expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00Z$/)],
    ['Preferred-Languages', 'en'],
    ['Canonical', 'https://shop.example/.well-known/security.txt'],
  ]);
  const days = (Date.parse(fields[2]![1]) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(150);
  expect(days).toBeLessThan(365);
});

test('without https security.txt has no address of a page', async ({ stack }) => {
  const { url } = await stack.startServer({ PUBLIC_URL: 'http://shop.example' });
  const fields = fieldsOf(await (await get(url, 'security.txt')).text());
  expect(fields.map(([name]) => name)).toEqual(['Contact', 'Expires', 'Preferred-Languages']);
});
