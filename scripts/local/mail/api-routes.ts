/** `/api`: access to the mails for tests and scripts. */
import { once } from 'node:events';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { type Mail, readAttachments } from './mail.ts';
import type { MailQuery, MailStore } from './store.ts';

const listSchema = z.strictObject({ to: z.string().optional() });

/** Below the five minutes after which Node's fetch aborts a request without a response. */
const maxWaitMs = 290_000;

const waitSchema = z.strictObject({
  to: z.string().optional(),
  subject: z.string().optional(),
  after: z.coerce.number().int().min(0).optional(),
  timeoutMs: z.coerce.number().int().min(0).max(maxWaitMs).default(30_000),
});

const idSchema = z.object({ id: z.coerce.number().int().min(1) });

/** Adds the routes to a server. `closing` ends pending requests. */
export function addApiRoutes(app: FastifyInstance, store: MailStore, closing: AbortSignal): void {
  app.get('/api/mails', async (request, reply) => {
    const query = listSchema.safeParse(request.query);
    return query.success ? store.find(query.data) : replyBadRequest(reply, query.error);
  });

  // 200 with the mail, or 204 when none arrived in time.
  app.get('/api/mails/wait', async (request, reply) => {
    const query = waitSchema.safeParse(request.query);
    if (!query.success) return replyBadRequest(reply, query.error);
    const { timeoutMs, ...wanted } = query.data;
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    const signal = AbortSignal.any([left.signal, closing, AbortSignal.timeout(timeoutMs)]);
    const mail = await waitFor(store, wanted, signal);
    return mail ?? reply.code(204).send();
  });

  // The files of a mail, their content in Base64.
  app.get('/api/mails/:id/attachments', async (request, reply) => {
    const params = idSchema.safeParse(request.params);
    if (!params.success) return replyBadRequest(reply, params.error);
    const source = store.source(params.data.id);
    if (source === undefined) return reply.code(404).send({ error: 'no such mail' });
    const files = await readAttachments(source);
    return files.map((file) => ({ ...file, content: file.content.toString('base64') }));
  });

  app.delete('/api/mails', async (_request, reply) => {
    store.clear();
    return reply.code(204).send();
  });
}

/** Resolves with the first matching mail; undefined when `signal` is aborted first. */
async function waitFor(store: MailStore, query: MailQuery, signal: AbortSignal): Promise<Mail | undefined> {
  for (;;) {
    const mail = store.findOne(query);
    if (mail !== undefined || signal.aborted) return mail;
    try {
      await once(store, 'mail', { signal });
    } catch {
      return undefined;
    }
  }
}

/** Replies 400 with the validation errors. */
export function replyBadRequest(reply: FastifyReply, error: z.ZodError): FastifyReply {
  return reply.code(400).send({ error: z.prettifyError(error) });
}

/** To how many mails a behaviour applies; by default to all until the next `POST /control`. */
const count = z.number().int().min(1).max(1_000_000).optional();

export const behaviourSchema = z.discriminatedUnion('behaviour', [
  z.strictObject({ behaviour: z.literal('ok') }),
  /** Rejects the recipient: 550, or `code` and `message`. With `to` only that one; mails to others are accepted. */
  z.strictObject({
    behaviour: z.literal('refuse'),
    count,
    to: z.string().optional(),
    code: z.number().int().min(400).max(599).optional(),
    message: z.string().max(500).optional(),
  }),
  /** Rejects the mail temporarily: 451. */
  z.strictObject({ behaviour: z.literal('busy'), count }),
  /** Accepts the mail after this many milliseconds. */
  z.strictObject({ behaviour: z.literal('slow'), ms: z.number().int().min(0).max(3_600_000), count }),
  /** Accepts the mail when the next behaviour is set. */
  z.strictObject({ behaviour: z.literal('hold'), count }),
  /** Closes the connection without a reply after the whole mail was sent; the mail is not stored. */
  z.strictObject({ behaviour: z.literal('drop'), count }),
]);

export type Behaviour = z.infer<typeof behaviourSchema>;

/** The behaviour for one mail, and what resolves when another one is set. */
export type MailBehaviour = Behaviour & { replaced: Promise<void> };

/** The behaviour that applies to the next mails. */
export class Behaviours {
  #current: Behaviour = { behaviour: 'ok' };
  #left = Number.POSITIVE_INFINITY;
  #replaced = Promise.withResolvers<void>();

  /** Replaces the current behaviour. */
  set(behaviour: Behaviour): void {
    this.#replaced.resolve();
    this.#replaced = Promise.withResolvers();
    this.#current = behaviour;
    const mails = behaviour.behaviour === 'ok' ? undefined : behaviour.count;
    this.#left = mails ?? Number.POSITIVE_INFINITY;
  }

  /** The behaviour for one more mail; decrements the count. */
  next(): MailBehaviour {
    const replaced = this.#replaced.promise;
    if (this.#left <= 0) return { behaviour: 'ok', replaced };
    this.#left -= 1;
    return { ...this.#current, replaced };
  }
}
