import { Readable, Writable } from 'node:stream';
import Fastify from 'fastify';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { errorReplySchema } from '#contract';
import { errorHandling } from '#server/http/errors.ts';
import { errorReplies, fileReply } from '#server/http/replies.ts';
import { replySchemas } from './reply-schemas.ts';

const userSchema = z.object({ id: z.string(), email: z.string() });
const row = { id: 'u1', email: 'ada@example.com', password_hash: '$argon2id$secret' };

/** An app with one route that sends a value. Collects what it logs. */
async function appThatSends(value: unknown, schema: z.ZodType, status: 200 | 201 = 200) {
  const logged: string[] = [];
  const stream = new Writable({
    write(line, _encoding, done) {
      logged.push(String(line));
      done();
    },
  });
  const app = Fastify({ loggerInstance: pino({ level: 'error' }, stream) });
  await app.register(replySchemas);
  await app.register(errorHandling);
  const route = { exposeHeadRoute: false, schema: { response: { 200: schema, ...errorReplies(404) } } };
  app.get('/', route, (_request, reply) => reply.status(status as 200).send(value));
  return { reply: await app.inject('/'), logged };
}

test.for([
  ['at the top', row, userSchema, { id: row.id, email: row.email }],
  [
    'in a list',
    { users: [row] },
    z.object({ users: z.array(userSchema) }),
    { users: [{ id: row.id, email: row.email }] },
  ],
  [
    'in one form of a union',
    { user: row },
    z.union([z.object({ url: z.url() }), z.object({ user: userSchema })]),
    { user: { id: row.id, email: row.email } },
  ],
] as const)('a field that the schema does not have does not leave: %s', async ([, value, schema, sent]) => {
  const { reply } = await appThatSends(value, schema);
  expect(reply.statusCode).toBe(200);
  expect(reply.json()).toEqual(sent);
  expect(reply.body).not.toContain('argon2id');
});

test.for([
  ['lacks a field', { id: 'u1' }],
  ['has a field of another type', { id: 'u1', email: null }],
  ['is nothing', null],
])('a reply that %s is answered 500 and logged', async ([, value]) => {
  const { reply, logged } = await appThatSends({ user: value }, z.object({ user: userSchema }));
  expect(reply.statusCode).toBe(500);
  expect(errorReplySchema.parse(reply.json()).error.code).toBe('INTERNAL');
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain("Response doesn't match the schema");
});

test('a default of the schema does not stand in for a field that is missing', async () => {
  const { reply } = await appThatSends({}, z.object({ theme: z.string().default('system') }));
  expect(reply.statusCode).toBe(500);
});

test('a status that the route does not declare sends nothing but an error', async () => {
  const { reply } = await appThatSends(row, userSchema, 201);
  expect(reply.statusCode).toBe(500);
  expect(reply.body).not.toContain(row.email);
});

test('a route for files sends streams and buffers, and no object', async () => {
  const file = fileReply('a file', 'image/png');
  expect((await appThatSends(Readable.from(['bytes']), file)).reply.body).toBe('bytes');
  expect((await appThatSends(Buffer.from('bytes'), file)).reply.body).toBe('bytes');
  const { reply } = await appThatSends(row, file);
  expect(reply.statusCode).toBe(500);
  expect(reply.body).not.toContain('argon2id');
});

test('a route for files has no HEAD route, and no other route sends a file', async () => {
  const app = Fastify();
  await app.register(replySchemas);
  const file = { schema: { response: { 200: fileReply('a file', 'image/png') } } };
  expect(() => app.get('/file', file, () => row)).toThrow('GET /file replies with a file');
  const sent = [Readable.from(['bytes']), Buffer.from('bytes')];
  for (const each of sent) expect((await appThatSends(each, z.any())).reply.statusCode).toBe(500);
});

test('a route without a schema for its reply cannot be registered', async () => {
  const app = Fastify();
  await app.register(replySchemas);
  expect(() => app.get('/bare', () => row)).toThrow('GET /bare declares no schema for its reply');
});

test('a reply that would refuse a field of a later release is no reply of a route', async () => {
  const strict = z.object({
    users: z.array(z.object({ look: z.strictObject({ id: z.string() }).nullable() })),
  });
  await expect(appThatSends({ users: [] }, strict)).rejects.toThrow('GET / 200: strict in users.look');
});
