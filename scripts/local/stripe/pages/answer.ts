/** How pages reply: with a document or a redirect. Every submitted form is processed once. */
import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html, htmlText } from '../../html.ts';

/** A document, or a redirect (303, so that the browser fetches the target with GET). */
export type Answer = { page: Html; status?: number } | { location: string };

/** The fields of a submitted form; of several with the same name, the last one. */
export type Form = Readonly<Record<string, string>>;

/** What a handler receives: path parameters, query and form. */
export interface PageRequest {
  part(name: string): string;
  query: Form;
  form: Form;
}

type Handler = (pageRequest: PageRequest) => Answer | Promise<Answer>;

/** How many replies are remembered for repeated submissions. */
const maxRemembered = 500;

/** Adds the routes of the pages to a Fastify instance. */
export interface PageRoutes {
  get(path: string, handler: Handler): void;
  /** A form with `formTokenField` that is submitted twice, as by a double click, gets the first reply again. */
  post(path: string, handler: Handler): void;
}

/** Creates the routes of one server, with the store of remembered replies. */
export function createPageRoutes(pages: FastifyInstance): PageRoutes {
  const answers = new Map<string, Answer | Promise<Answer>>();

  function answerOnce(
    request: FastifyRequest,
    pageRequest: PageRequest,
    handler: Handler,
  ): ReturnType<Handler> {
    if (pageRequest.form.once === undefined) return handler(pageRequest);
    // The fields are part of the key: after the browser's back button a form has the same token and may contain
    // another card.
    const key = createHash('sha256')
      .update(JSON.stringify([request.url, pageRequest.form]))
      .digest('base64');
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = handler(pageRequest);
    answers.set(key, answer);
    // A failure is not remembered, so that the form can be submitted again.
    if (answer instanceof Promise) answer.catch(() => answers.delete(key));
    for (const oldest of answers.keys()) {
      if (answers.size <= maxRemembered) break;
      answers.delete(oldest);
    }
    return answer;
  }

  return {
    get(path, handler) {
      pages.get(path, async (request, reply) => send(reply, await handler(readPageRequest(request))));
    },
    post(path, handler) {
      pages.post(path, async (request, reply) =>
        send(reply, await answerOnce(request, readPageRequest(request), handler)),
      );
    },
  };
}

/** A hidden field with the token of a form; every form must contain one. */
export function formTokenField(): Html {
  return html`<input type="hidden" name="once" value="${randomUUID()}">`;
}

function readPageRequest(request: FastifyRequest): PageRequest {
  const parts = request.params as Form;
  return {
    part: (name) => parts[name] ?? '',
    query: Object.fromEntries(new URLSearchParams(request.url.split('?')[1] ?? '')),
    form: (request.body ?? {}) as Form,
  };
}

/** Sends a reply. */
export function send(reply: FastifyReply, answer: Answer): FastifyReply {
  if ('location' in answer) return reply.redirect(answer.location, 303);
  return reply
    .code(answer.status ?? 200)
    .header('content-type', 'text/html; charset=utf-8')
    .send(htmlText(answer.page));
}
