/**
 * A local server with OpenAI's image edits API. It generates nothing: it cuts the products out of their photos and
 * composes them in a scene derived from the description.
 */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { argumentsOfModel, type ChosenModel } from '../../../shared/cutout/model-arguments.ts';
import { answerCall } from './call.ts';
import { addControlRoutes, ImageServerControl } from './control.ts';
import { models } from './edit-fields.ts';
import { readEditRequest } from './edits.ts';
import {
  ApiError,
  errorBody,
  invalidApiKey,
  invalidImageFile,
  modelNotFound,
  serverError,
  unknownRoute,
} from './errors.ts';
import { createInstantRenderer } from './instant.ts';
import { createProcessRenderer } from './process-renderer.ts';
import { PhotoError, type Renderer } from './renderer.ts';

/** Options of the server; all are optional. */
export interface ImageServerOptions {
  /** 0 for any free port. */
  port?: number;
  host?: string;
  /** `render` composes the image; `instant` returns a prepared one. */
  mode?: 'render' | 'instant';
  /** Prepared images have grain, and files as large as those of photographs: about 1.5 MB for 1024 × 1024. */
  grain?: boolean;
  /** No two prepared images are the same file. */
  distinct?: boolean;
  /** Adds `/control`. */
  control?: boolean;
  /** Another model for cutting out products; the path of an ONNX file. */
  cutoutModel?: ChosenModel | undefined;
  /** Each request without a seed gets the next one, so that equal requests give different images, as at OpenAI. */
  varied?: boolean;
}

/** A running server. */
export interface ImageServer {
  /** For the SDK's `baseURL`; ends in `/v1`. */
  url: string;
  /** For `createImageServerControl`; answers 404 unless the server was started with `control: true`. */
  controlUrl: string;
  /** Aborts open requests, ends the renderer's process and stops listening. */
  close(): Promise<void>;
}

/**
 * Starts the server and resolves when it listens.
 * @throws the listen error, such as EADDRINUSE
 */
export async function startImageServer(options: ImageServerOptions = {}): Promise<ImageServer> {
  const { port = 0, host = '127.0.0.1', mode = 'render' } = options;
  const control = new ImageServerControl(options.control === true);
  const app = Fastify({
    bodyLimit: 1024 ** 3,
    forceCloseConnections: true,
    genReqId: () => `req_${randomBytes(16).toString('hex')}`,
  });
  let renderer: Renderer | undefined;
  let nextSeed = 0;

  // A file that is too large gets OpenAI's error message, not the parser's.
  await app.register(multipart, { throwFileSizeLimit: false });
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(async (request) => {
    throw unknownRoute(request.method, request.url.split('?')[0] ?? '');
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.get('/healthz', async () => ({ status: 'ok', mode }));
  if (options.control === true) addControlRoutes(app, control);

  app.get('/v1/models', async (request) => {
    checkKey(request);
    return { object: 'list', data: models.map(modelObject) };
  });
  app.get<{ Params: { model: string } }>('/v1/models/:model', async (request) => {
    checkKey(request);
    const { model } = request.params;
    if (!models.includes(model)) throw modelNotFound(model);
    return modelObject(model);
  });

  app.post('/v1/images/edits', async (request, reply) => {
    checkKey(request);
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    const edit = await readEditRequest(request);
    if (options.varied === true && edit.seed === undefined) {
      edit.seed = nextSeed;
      nextSeed += 1;
    }
    const finish = control.begin(request.id, edit);
    reply.hijack();
    const began = performance.now();
    try {
      const outcome = await answerCall({
        request: edit,
        behaviour: control.next(edit.prompt, request.id),
        response: reply.raw,
        headers: { 'x-request-id': request.id, 'openai-model': edit.model },
        renderer: renderer as Renderer,
        control,
        signal: left.signal,
      });
      finish(outcome);
    } catch (error) {
      if (left.signal.aborted) {
        finish('client-left');
        return;
      }
      finish('failed');
      if (error instanceof PhotoError) {
        const { message, problem, photo = null } = error;
        endWithError(reply, request.id, invalidImageFile(message, { problem, photo }));
        return;
      }
      console.error(
        `image server: ${request.id} failed after ${Math.round(performance.now() - began)} ms:`,
        error,
      );
      endWithError(reply, request.id, serverError());
    }
  });

  await app.listen({ port, host });
  // The renderer's process starts only once the port is bound, so that a failed start leaves nothing running.
  renderer =
    mode === 'instant'
      ? createInstantRenderer(options)
      : createProcessRenderer(argumentsOfModel(options.cutoutModel));
  const address = app.server.address() as AddressInfo;
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  return {
    url: `${origin}/v1`,
    controlUrl: `${origin}/control`,
    async close() {
      await app.close();
      await renderer?.close();
    },
  };
}

/** @throws ApiError when the request has no key */
function checkKey({ headers }: FastifyRequest): void {
  if (!/^Bearer\s+\S/.test(headers.authorization ?? '')) throw invalidApiKey();
}

/** When all models were created, in seconds: nobody reads it. */
const modelsCreated = 1_757_289_600;

const modelObject = (id: string) => ({ id, object: 'model', created: modelsCreated, owned_by: 'system' });

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  let answer: ApiError;
  if (error instanceof ApiError) answer = error;
  else if (isClientError(error)) {
    answer = new ApiError(error.statusCode, { message: error.message, type: 'invalid_request_error' });
  } else {
    console.error(`image server: ${request.id} failed:`, error);
    answer = serverError();
  }
  reply.code(answer.status).send(errorBody(answer));
}

/** Errors of Fastify itself, such as a body that is not JSON. */
function isClientError(error: unknown): error is Error & { statusCode: number } {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' && status >= 400 && status < 500;
}

/** Sends an error: after the headers of a stream as an error event, before them with the error's status. */
function endWithError(reply: FastifyReply, requestId: string, error: ApiError): void {
  const response = reply.raw;
  const body = JSON.stringify(errorBody(error));
  if (!response.headersSent) {
    response.writeHead(error.status, { 'content-type': 'application/json', 'x-request-id': requestId });
    response.end(body);
  } else if (response.writableEnded) {
    response.destroy();
  } else {
    response.end(`event: error\ndata: ${body}\n\n`);
  }
}
