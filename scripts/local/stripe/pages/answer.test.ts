import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPageRoutes } from './answer.ts';

let app: FastifyInstance;
let runs: string[];
/** What the handler does. */
let work: () => Promise<void>;
beforeEach(() => {
  app = Fastify();
  runs = [];
  work = async () => {};
  createPageRoutes(app).post('/act', async ({ form }) => {
    runs.push(form.card ?? '');
    const run = runs.length;
    await work();
    return { location: `/done/${run}` };
  });
});
afterEach(() => app.close());

/** Awaited because `inject` only sends the request once somebody awaits it. */
const send = async (body: Record<string, string>) => await app.inject({ method: 'POST', url: '/act', body });

test('a form submitted twice is processed once, even concurrently', async () => {
  const [started, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  work = () => {
    started.resolve();
    return release.promise;
  };
  const both = [send({ once: 'a', card: '1' })];
  await started.promise;
  both.push(send({ once: 'a', card: '1' }));
  release.resolve();
  const answers = [...(await Promise.all(both)), await send({ once: 'a', card: '1' })];
  expect(answers.map(({ statusCode, headers }) => [statusCode, headers.location])).toEqual(
    Array(3).fill([303, '/done/1']),
  );
  expect(runs).toEqual(['1']);
});

test('other fields, another form and a form without a token are processed', async () => {
  await send({ once: 'a', card: '1' });
  await send({ once: 'a', card: '2' });
  await send({ once: 'b', card: '1' });
  await send({ card: '3' });
  await send({ card: '3' });
  expect(runs).toEqual(['1', '2', '1', '3', '3']);
});

test('a failed submission can be repeated', async () => {
  work = async () => {
    throw new Error('down');
  };
  expect((await send({ once: 'a' })).statusCode).toBe(500);
  work = async () => {};
  expect((await send({ once: 'a' })).headers.location).toBe('/done/2');
});
