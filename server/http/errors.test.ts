import Fastify, { errorCodes, type FastifyError } from 'fastify';
import { expect, test } from 'vitest';
import { errorHandling } from './errors.ts';

test("no error of Fastify that is the client's fault is answered as ours", async () => {
  const app = Fastify();
  await app.register(errorHandling);
  const thrown = Object.values(errorCodes).map((Code) => new Code() as FastifyError);
  // This one is thrown while a server is built.
  const ofClients = thrown.filter(
    ({ code, statusCode = 500 }) => statusCode < 500 && code !== 'FST_ERR_CTP_INSTANCE_ALREADY_STARTED',
  );
  expect(ofClients.length).toBeGreaterThan(5);
  for (const error of ofClients) app.get(`/${error.code}`, () => Promise.reject(error));
  const answers = await Promise.all(
    ofClients.map(async ({ code }) => [code, (await app.inject(`/${code}`)).statusCode] as const),
  );
  expect(answers.filter(([, status]) => status >= 500)).toEqual([]);
});
