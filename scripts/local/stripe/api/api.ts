/** What every API call has in common: API key, parameters, idempotency, transaction, expansion and errors. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Core } from '../core/core.ts';
import { errorBody, invalidApiKey, StripeApiError, serverError } from '../errors.ts';
import type { Stored } from '../objects.ts';
import {
  checkParameters,
  list,
  nonEmptyText,
  type Parameters,
  pageOf,
  parseForm,
  splitPaging,
} from './parameters.ts';
import { expand, present } from './present.ts';
import { type Fault, type Faults, findReply, keyInUse, requestFingerprint, saveReply } from './replies.ts';

type Plain = Record<string, unknown>;

/** For calls without parameters. */
export const noParameters = z.strictObject({});
const expandSchema = list(nonEmptyText).default([]);

/** Registers API calls; each file in this folder adds its own. */
export class Api {
  readonly core: Core;
  readonly #app: FastifyInstance;
  readonly #faults: Faults;
  readonly #keysInUse = new Set<string>();

  constructor(app: FastifyInstance, core: Core, faults: Faults) {
    this.#app = app;
    this.core = core;
    this.#faults = faults;
  }

  /** Registers a call that changes something. It runs in one transaction; the reply is formatted by `present`. */
  post<T>(path: string, schema: z.ZodType<T>, run: (input: T, id: string) => Stored | Plain): void {
    this.#route('POST', path, schema, run);
  }

  /** Registers a call that deletes an object. */
  delete(path: string, run: (id: string) => Stored | Plain): void {
    this.#route('DELETE', path, noParameters, (_input, id) => run(id));
  }

  /** Registers a call that reads one object by its id. */
  retrieve(path: string, run: (id: string) => Stored | Plain): void {
    this.#route('GET', path, noParameters, (_input, id) => run(id));
  }

  /** Registers a call that reads what belongs to an object. */
  get(path: string, run: (id: string) => Plain): void {
    this.#route('GET', path, noParameters, (_input, id) => run(id));
  }

  /** Registers a list call. `run` returns all matches, newest first; pagination happens here. */
  list<T>(path: string, schema: z.ZodType<T>, run: (input: T) => { id: string }[]): void {
    this.#app.get(path, (request, reply) =>
      this.#serve(request, reply, (parameters) => {
        const { paging, rest } = splitPaging(parameters);
        const { data, hasMore } = pageOf(run(checkParameters(schema, rest)), paging);
        const shown = data.map((each) => present(this.core, each as Stored));
        return { object: 'list', data: shown, has_more: hasMore, url: pathOf(request) };
      }),
    );
  }

  #route<T>(
    method: 'POST' | 'GET' | 'DELETE',
    path: string,
    schema: z.ZodType<T>,
    run: (input: T, id: string) => Stored | Plain,
  ): void {
    this.#app.route({
      method,
      url: path,
      handler: (request, reply) =>
        this.#serve(request, reply, (parameters) => {
          const { id = '' } = request.params as { id?: string };
          const answer = run(checkParameters(schema, parameters), id);
          return isStored(answer) ? present(this.core, answer) : answer;
        }),
    });
  }

  async #serve(
    request: FastifyRequest,
    reply: FastifyReply,
    run: (parameters: Parameters) => Plain,
  ): Promise<FastifyReply> {
    checkKey(request.headers.authorization);
    const path = pathOf(request);
    const fault = await this.#faults.next(request.method, path);
    if (fault?.when === 'before') return answerFault(fault, request, reply);
    const { expand: asked, ...parameters } = parametersOf(request);
    const paths = checkParameters(expandSchema, asked as Parameters);
    const key = request.method === 'POST' ? headerOf(request, 'idempotency-key') : undefined;
    const fingerprint = requestFingerprint(request.method, path, { ...parameters, expand: asked });
    if (key !== undefined) {
      const known = findReply(this.core.store, key, fingerprint);
      if (known !== undefined) {
        reply.headers({ 'idempotent-replayed': 'true', 'original-request': known.requestId });
        return send(reply, known.status, known.body);
      }
      if (this.#keysInUse.has(key)) throw keyInUse(key);
      this.#keysInUse.add(key);
    }
    const keep = (status: number, body: string) => {
      if (key === undefined) return;
      const reply =
        fault?.status === undefined
          ? { status, body }
          : { status: fault.status, body: faultBody(fault.status, request.id) };
      saveReply(this.core.store, key, fingerprint, { ...reply, requestId: request.id });
    };
    let answer: { status: number; body: string };
    try {
      const work = () => {
        const body = toJson(expand(this.core, run(parameters), paths));
        keep(200, body);
        return { status: 200, body };
      };
      answer =
        request.method === 'GET'
          ? work()
          : this.core.perform(work, { id: request.id, idempotency_key: key ?? null });
    } catch (error) {
      const apiError = toApiError(error, request.id);
      answer = { status: apiError.status, body: toJson(errorBody(apiError, request.id)) };
      // A request with invalid parameters does not use up its key: the client can correct it and send it again.
      if (apiError.status === 402 || apiError.status >= 500) keep(answer.status, answer.body);
    } finally {
      if (key !== undefined) this.#keysInUse.delete(key);
    }
    if (fault !== undefined) return answerFault(fault, request, reply);
    return send(reply, answer.status, answer.body);
  }
}

/** Converts any error to an API error; unexpected ones are logged. */
export function toApiError(error: unknown, requestId: string): StripeApiError {
  if (error instanceof StripeApiError) return error;
  if (error instanceof RangeError && error.message.includes('Input depth exceeded')) {
    return new StripeApiError(400, {
      type: 'invalid_request_error',
      message: 'Parameters are nested too deeply.',
    });
  }
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new StripeApiError(status, { type: 'invalid_request_error', message: (error as Error).message });
  }
  console.error(`local stripe: ${requestId} failed:`, error);
  return serverError();
}

function answerFault({ status }: Fault, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (status !== undefined) return send(reply, status, faultBody(status, request.id));
  reply.hijack();
  request.raw.socket.destroy();
  return reply;
}

function faultBody(status: number, requestId: string): string {
  const type = status >= 500 ? 'api_error' : 'invalid_request_error';
  const error = new StripeApiError(status, { type, message: `The control endpoint asked for ${status}.` });
  return toJson(errorBody(error, requestId));
}

function checkKey(header: string | undefined): void {
  const [, scheme = '', value = ''] = /^(\S+)\s+(\S+)$/.exec(header ?? '') ?? [];
  const key =
    scheme.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString().split(':')[0] : value;
  if (!/^(sk|rk)_test_\S+$/.test(key ?? '')) throw invalidApiKey(key || undefined);
}

function parametersOf(request: FastifyRequest): Parameters {
  const query = parseForm(request.url.split('?')[1] ?? '');
  return { ...query, ...((request.body ?? {}) as Parameters) };
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? '';
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isStored(answer: Stored | Plain): answer is Stored {
  return typeof answer.object === 'string' && typeof answer.created === 'number' && !('deleted' in answer);
}

function toJson(body: object): string {
  return JSON.stringify(body, null, 2);
}

function send(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(body);
}
