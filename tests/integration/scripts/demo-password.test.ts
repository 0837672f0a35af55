/** The demo sellers' password works only where nobody else reaches the server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveDemoPasswordsBack, takeDemoPasswords } from '../../../scripts/start/demo-password.ts';
import { startServer } from '../../../server/server.ts';
import { paths, type Service } from '../../../shared/contract/index.ts';
import { demoAddresses } from '../../../shared/production.ts';
import { startTestStack, type TestStack } from '../../support/stack.ts';

let stack: TestStack;
let folder: string;

beforeAll(async () => {
  stack = await startTestStack({ workers: 0 });
  folder = await mkdtemp(join(tmpdir(), 'packshot-demo-'));
});
afterAll(async () => {
  await stack.close();
  await rm(folder, { recursive: true, force: true });
});

const signIn = async (email: string, password: string) => {
  const reply = await fetch(stack.url + paths.session, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return reply.status;
};

test('it is taken while other machines are let in, and given back as it was', async () => {
  const demo = await stack.seller({ email: demoAddresses[0] });
  const other = await stack.seller();
  const { mongodbUrl } = stack.config;

  expect(await takeDemoPasswords(mongodbUrl, folder)).toBe(1);
  expect(await signIn(demo.email, demo.password)).toBe(401);
  await expect.poll(async () => (await demo.request(paths.me)).status).toBe(401);
  expect((await other.request(paths.me)).status).toBe(200);
  // A second start in a row must not keep the unknown password as the one to give back.
  expect(await takeDemoPasswords(mongodbUrl, folder)).toBe(1);

  await giveDemoPasswordsBack(mongodbUrl, folder);
  expect(await signIn(demo.email, demo.password)).toBe(200);
  await giveDemoPasswordsBack(mongodbUrl, folder);
  expect(await signIn(demo.email, demo.password)).toBe(200);
});

test('no server starts in production on a database with a demo seller', async () => {
  await expect(startServer({ ...stack.config, port: 0, production: true })).rejects.toThrow(demoAddresses[0]);
  await stack.data.users.deleteMany({ email: { $in: [...demoAddresses] } });
  const server = await startServer({ ...stack.config, port: 0, production: true });
  await server.close();
});

test('everybody may know whether it is a try-out', async () => {
  const service = async (url: string) => (await (await fetch(url + paths.service)).json()) as Service;
  expect(await service(stack.url)).toEqual({ tryOut: false });
  const tryOut = await stack.startServer({ TRY_OUT: 'true' });
  expect(await service(tryOut.url)).toEqual({ tryOut: true });
});
