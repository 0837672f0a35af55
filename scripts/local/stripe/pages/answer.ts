/** How pages answer: a document or the way to the next one, each form's work done once. */
import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html, htmlText } from '../../html.ts';

/** A document, or the address where the browser goes on (303, so that it is fetched with GET). */
export type Answer = { page: Html; status?: number } | { location: string };

/** The fields of a posted form; of those with the same name the last one. */
export type Form = Readonly<Record<string, string>>;

/** What a handler is given: the named parts of the path, the query, and the form. */
export interface Question {
  part(name: string): string;
  query: Form;
  form: Form;
}

type Handler = (question: Question) => Answer | Promise<Answer>;

/** How many answers are remembered for a form that is sent again. */
const remembered = 500;

/** Adds the pages' routes to a Fastify instance. */
export interface PageRoutes {
  get(path: string, handler: Handler): void;
  /** A form with the mark of `onceField` that is sent twice, as by a double click, gets the first one's answer. */
  post(path: string, handler: Handler): void;
}

/** The routes of one server; what was answered to its forms is kept here. */
export function createPageRoutes(pages: FastifyInstance): PageRoutes {
  const answers = new Map<string, Answer | Promise<Answer>>();

  function answerOnce(request: FastifyRequest, question: Question, handler: Handler): ReturnType<Handler> {
    if (question.form.once === undefined) return handler(question);
    // The content counts too: after the browser's back button a form has the same mark and perhaps another card.
    const key = createHash('sha256')
      .update(JSON.stringify([request.url, question.form]))
      .digest('base64');
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = handler(question);
    answers.set(key, answer);
    // A failure is not kept: the form may be sent again.
    if (answer instanceof Promise) answer.catch(() => answers.delete(key));
    for (const oldest of answers.keys()) {
      if (answers.size <= remembered) break;
      answers.delete(oldest);
    }
    return answer;
  }

  return {
    get(path, handler) {
      pages.get(path, async (request, reply) => send(reply, await handler(readQuestion(request))));
    },
    post(path, handler) {
      pages.post(path, async (request, reply) =>
        send(reply, await answerOnce(request, readQuestion(request), handler)),
      );
    },
  };
}

/** A hidden field that marks a form as one: put it into each. */
export function onceField(): Html {
  return html`<input type="hidden" name="once" value="${randomUUID()}">`;
}

function readQuestion(request: FastifyRequest): Question {
  const parts = request.params as Form;
  return {
    part: (name) => parts[name] ?? '',
    query: Object.fromEntries(new URLSearchParams(request.url.split('?')[1] ?? '')),
    form: (request.body ?? {}) as Form,
  };
}

/** Sends an answer. */
export function send(reply: FastifyReply, answer: Answer): FastifyReply {
  if ('location' in answer) return reply.redirect(answer.location, 303);
  return reply
    .code(answer.status ?? 200)
    .header('content-type', 'text/html; charset=utf-8')
    .send(htmlText(answer.page));
}
