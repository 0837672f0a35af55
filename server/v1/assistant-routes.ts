import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as wait } from 'node:timers/promises';
import type { AuthInfo, McpHttpHandler } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  hasEnded,
  type V1Balance,
  type V1Batch,
  type V1BatchPhotos,
  type V1Created,
  type V1ExportPresetList,
  type V1Generation,
  type V1GenerationList,
  v1BatchPaths,
  v1ExportPaths,
  v1FailedRulesHeader,
  v1McpPath,
  v1Paths,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import { disconnectedOf } from '#server/http/disconnected.ts';
import { versionHeaders } from '#server/http/documented.ts';
import { errorReplies, fileReply } from '#server/http/replies.ts';
import type { ToolAccount, ToolFile } from '#shared/assistants/account.ts';
import { AppError } from '#shared/platform/errors.ts';
import { sha256OfAddress } from './fetch-photos.ts';

/** The largest message of an assistant, in bytes. */
export const messageBytes = 64 * 1024;
/** The largest file that is put into an answer, in bytes; it grows by a third there. */
const fileBytes = 6 * 1024 * 1024;
/** One message: several of them in a list would pass the limit of requests. */
const messageSchema = z.looseObject({ jsonrpc: z.literal('2.0'), method: z.string() });
/** How long images are waited for before their progress is said again, in s. */
const waitSeconds = 3;

/**
 * The API as tools of an assistant, by Streamable HTTP of the Model Context Protocol. It holds no session: each request is
 * answered for itself, on any server. What a tool does is requests to the routes of this API with the same key, so that scopes,
 * limits, networks and the end of a key are theirs.
 */
export async function v1AssistantRoutes(app: App) {
  let handler: Promise<McpHttpHandler> | undefined;
  app.addHook('onClose', async () => (await handler)?.close());

  app.post(
    v1McpPath,
    {
      onRequest: app.requireKey('generations:read'),
      bodyLimit: messageBytes,
      exposeHeadRoute: false,
      schema: {
        operationId: 'assistants.call',
        tags: ['api'],
        requestHeaders: versionHeaders,
        summary: 'The API as tools of an assistant',
        description:
          'By the Model Context Protocol (Streamable HTTP, without sessions): the tools of `packshot mcp`, whose photos are ' +
          'addresses and whose files are in the answers. A tool does what the scopes of the key allow.',
        body: messageSchema,
        response: {
          200: fileReply('An answer of the protocol', 'text/event-stream'),
          202: z.null().describe('Nothing: the message was a notification'),
          ...errorReplies(400, 401, 403, 413, 429),
        },
      },
    },
    async (request, reply) => {
      // The library is loaded when somebody uses it.
      handler ??= createHandler();
      const message = new Request(new URL(v1McpPath, 'http://localhost'), {
        method: 'POST',
        headers: Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
          typeof value === 'string' && name !== 'content-length' ? [[name, value]] : [],
        ),
        body: JSON.stringify(request.body),
        signal: disconnectedOf(reply),
      });
      const answer = await (await handler).fetch(message, {
        parsedBody: request.body,
        authInfo: callerInfo(accountOf(app, request)),
      });
      reply.status(answer.status as 200 | 202);
      for (const [name, value] of answer.headers) reply.header(name, value);
      return reply.send(answer.body ? Readable.fromWeb(answer.body as ReadableStream) : new Uint8Array());
    },
  );

  // Clients ask whether there is a stream of messages from the server, and end sessions; of what is not there they expect 405.
  app.route({
    method: ['GET', 'DELETE'],
    url: v1McpPath,
    onRequest: app.requireKey('generations:read'),
    schema: { hide: true },
    handler: ({ id }, reply) =>
      reply
        .status(405)
        .header('allow', 'POST')
        .send(
          new AppError('NOT_FOUND', { message: 'Messages are sent by POST.' }).toReply(id, app.errorsPage),
        ),
  });
}

async function createHandler(): Promise<McpHttpHandler> {
  const [{ createMcpHandler }, { createToolServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('#shared/assistants/tools.ts'),
  ]);
  // Nothing changes that could be listened to.
  return createMcpHandler(({ authInfo }) => createToolServer(authInfo!.extra!.account as ToolAccount), {
    maxSubscriptions: 0,
    responseMode: 'sse',
  });
}

/** What the library passes on to the tools of one request. The key was checked before. */
const callerInfo = (account: ToolAccount): AuthInfo => ({
  token: '',
  clientId: '',
  scopes: [],
  extra: { account },
});

/** An account by requests with the key of a request. */
function accountOf(app: App, { ip, headers: { authorization = '' } }: FastifyRequest): ToolAccount {
  const send = async (method: 'GET' | 'POST' | 'PUT', url: string, body?: object, headers: object = {}) => {
    const reply = await app.inject({
      method,
      url,
      remoteAddress: ip,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { payload: JSON.stringify(body) }),
    });
    if (reply.statusCode < 400) return reply;
    throw new Error(reply.json<{ error: { message: string } }>().error.message);
  };
  const read = async <Body>(url: string) => (await send('GET', url)).json<Body>();
  const fileOf = (
    { rawPayload: bytes, headers }: Awaited<ReturnType<typeof send>>,
    url: string,
  ): ToolFile => {
    if (bytes.byteLength > fileBytes) {
      throw new Error(`The file is too large for an answer. A program gets it at ${url} with the key.`);
    }
    return { bytes, mimeType: String(headers['content-type']) };
  };
  const pathOf = (id: string) => v1Paths.generation(encodeURIComponent(id));

  const sendPhotos = async (
    id: string,
    rows: readonly { photos: readonly string[] }[],
    signal: AbortSignal,
  ) => {
    const { missing } = await read<V1BatchPhotos>(v1BatchPaths.photos(id));
    const photos = new Map(rows.flatMap(({ photos }) => photos.map((url) => [sha256OfAddress(url), url])));
    for (const { sha256 } of missing) {
      signal.throwIfAborted();
      await send('PUT', v1BatchPaths.photo(id, sha256), { url: photos.get(sha256) });
    }
  };

  return {
    balance: () => read<V1Balance>(v1Paths.balance),

    async make({ photos, ...fields }, key, show, signal) {
      const request = { photos: photos.map((url) => ({ url })), ...fields };
      const created = await send('POST', v1Paths.generations, request, { 'idempotency-key': key });
      let { generations: images } = created.json<V1Created>();
      show(images);
      while (images.some(({ state }) => !hasEnded(state)) && !signal.aborted) {
        const before = performance.now();
        images = await Promise.all(
          images.map(async (image) =>
            hasEnded(image.state) ? image : read<V1Generation>(`${pathOf(image.id)}?wait=${waitSeconds}`),
          ),
        );
        show(images);
        // While the server closes, waits end at once.
        if (performance.now() - before < 1_000 && images.some(({ state }) => !hasEnded(state)))
          await wait(1_000, undefined, { signal }).catch(() => {});
      }
      return images;
    },

    get: (id) => read<V1Generation>(pathOf(id)),

    async list(limit) {
      return (await read<V1GenerationList>(`${v1Paths.generations}?limit=${limit}`)).generations;
    },

    async cancel(id) {
      const reply = await send('POST', v1Paths.cancel(encodeURIComponent(id)), { useImage: false });
      return reply.json<V1Generation>();
    },

    async remake(id) {
      const reply = await send('POST', v1Paths.remake(encodeURIComponent(id)), {});
      return reply.json<V1Created>().generations[0]!;
    },

    batches: {
      async create({ name, rows }, key) {
        const asked = rows.map(({ photos, ...row }) => ({ ...row, photos: photos.map((url) => ({ url })) }));
        const headers = { 'idempotency-key': key };
        const reply = await send('POST', v1BatchPaths.batches, { name, rows: asked }, headers);
        const batch = reply.json<V1Batch>();
        return { batch, sendPhotos: (signal) => sendPhotos(batch.id, rows, signal) };
      },
      start: async (id, maxImages) =>
        (await send('POST', v1BatchPaths.action(id, 'start'), { maxImages })).json<V1Batch>(),
      get: (id) => read<V1Batch>(v1BatchPaths.batch(id)),
    },

    files: {
      on: 'wire',
      async read(id) {
        const url = v1Paths.image(encodeURIComponent(id));
        return fileOf(await send('GET', url), url);
      },
      async readExport(id, preset) {
        const { presets } = await read<V1ExportPresetList>(v1ExportPaths.presets);
        if (!presets.some((each) => each.id === preset)) {
          throw new Error(`There is no preset ${preset}: ${presets.map((each) => each.id).join(', ')}`);
        }
        const url = v1ExportPaths.file(encodeURIComponent(id), preset);
        const reply = await send('GET', url);
        const failed = String(reply.headers[v1FailedRulesHeader] ?? '');
        return {
          ...fileOf(reply, url),
          failedRules: [...failed.matchAll(/"([^"]*)"/g)].map(([, rule]) => rule!),
        };
      },
    },
  };
}
