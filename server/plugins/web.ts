import { join } from 'node:path';
import { Readable } from 'node:stream';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { replyWithError } from '#server/http/errors.ts';
import { chooseEncoding } from '#server/site/encodings.ts';
import { openPageFiles } from '#server/site/page-files.ts';
import type { Site } from '#server/site/site.ts';
import type { Config } from '#shared/platform/config.ts';
import { AppError } from '#shared/platform/errors.ts';
import { extensionOf } from '#shared/storage/storage.ts';

/** How long browsers keep files under assets/, which have a hash of their content in their name. */
const immutable = 'public, max-age=31536000, immutable';

/** The media types of assets, by extension: those with which `@fastify/static` sends them. */
const assetTypes: Readonly<Record<string, string>> = {
  js: 'application/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

type NotFoundHandler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/**
 * Serves the built web app: its files, its prerendered pages, and for the app's other pages the page without content.
 * Every other address outside the API is answered 404, with a page for browsers. Assets of other releases come from the storage. Without `site` there are no pages.
 */
export const web = plugin<{ config: Config; site: Site | null }>(async (app, { config, site }) => {
  const replyNotFound: NotFoundHandler = (request, reply) =>
    replyWithError(new AppError('NOT_FOUND'), request, reply);
  if (site === null) {
    answerUnknown(app, replyNotFound);
    return;
  }
  const { folder, manifest, releases, releaseId } = site;
  app.addHook('onClose', () => releases.close());

  await app.register(staticFiles, {
    root: join(folder, 'static'),
    wildcard: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      const isImmutable = path.includes(join('static', 'assets'));
      reply.header('cache-control', isImmutable ? immutable : 'no-cache');
    },
  });
  // Assets of the releases before and after this one: documents and open pages of theirs ask any server.
  app.get<{ Params: { name: string } }>(
    '/assets/:name',
    { schema: { hide: true } },
    async (request, reply) => {
      const { name } = request.params;
      const encoding = chooseEncoding(request.headers['accept-encoding']);
      const suffix = { br: '.br', gzip: '.gz', identity: '' }[encoding];
      const asset = await releases.open(suffix === '' ? [name] : [name + suffix, name]);
      if (!asset) {
        reply.callNotFound();
        return reply;
      }
      if (asset.name !== name) reply.header('content-encoding', encoding);
      return reply
        .header('cache-control', immutable)
        .header('vary', 'accept-encoding')
        .header('content-length', asset.bytes)
        .type(assetTypes[extensionOf(name)] ?? 'application/octet-stream')
        .send(request.method === 'HEAD' ? unread(asset.stream) : asset.stream);
    },
  );

  const { linkUrl: publicUrl, tryOut, freeImages, imagePacks, visitorSketches, company } = config;
  const attributes = [
    `data-release="${releaseId}"`,
    `data-free-images="${freeImages}"`,
    ...(imagePacks.length > 0 ? [`data-image-packs="${escapeAttribute(JSON.stringify(imagePacks))}"`] : []),
    ...(company ? [`data-company="${escapeAttribute(JSON.stringify(company))}"`] : []),
    ...(visitorSketches ? ['data-sketches'] : []),
    ...(tryOut ? ['data-try-out'] : []),
  ].join(' ');
  const readPageFile = openPageFiles({ origin: manifest.origin, publicUrl, attributes });
  const send = async (file: string, type: string, request: FastifyRequest, reply: FastifyReply) => {
    const { etag, bodies } = await readPageFile(join(folder, 'pages', file));
    reply.header('cache-control', 'no-cache').header('vary', 'accept-encoding').header('etag', etag);
    if (reply.statusCode === 200 && request.headers['if-none-match']?.includes(etag)) {
      return reply.status(304).send();
    }
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.type(type).send(bodies[encoding]);
  };
  const sendPage = (file: string, request: FastifyRequest, reply: FastifyReply) =>
    send(file, 'text/html; charset=utf-8', request, reply);
  for (const [path, { file, type }] of Object.entries(manifest.files)) {
    app.get(path, { schema: { hide: true } }, (request, reply) => send(file, type, request, reply));
  }
  const pages = [
    ...Object.entries(manifest.pages),
    ...manifest.appPaths.map((path) => [path, manifest.shell] as const),
  ];
  for (const [path, file] of pages) {
    app.get(path, { schema: { hide: true } }, (request, reply) => sendPage(file, request, reply));
    if (path === '/') continue;
    app.get(`${path}/`, { schema: { hide: true } }, (request, reply) =>
      reply.redirect(request.url.replace(/\/(?=\?|$)/, ''), 308),
    );
  }

  answerUnknown(app, (request, reply) => {
    // A proxy that kept this answer would go on giving it when the file is there.
    if (request.url.startsWith('/assets/')) reply.header('cache-control', 'no-store');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const acceptsHtml = isRead && request.headers.accept?.includes('text/html');
    if (!acceptsHtml || /^\/api(?:[/?]|$)/.test(request.url)) return replyNotFound(request, reply);
    return sendPage(manifest.notFound, request, reply.status(404));
  });
});

/**
 * Answers every address and method that no route has. Before the body is read: its parser would answer 415 or 400 first, and
 * Fastify refuses a QUERY without a content type.
 */
function answerUnknown(app: FastifyInstance, answer: NotFoundHandler): void {
  app.setNotFoundHandler(answer);
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return answer(request, reply);
  });
}

/** A text as the value of an attribute between double quotation marks. */
const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Closes a stream. @returns an empty one: Fastify would read the other to its end to answer HEAD */
function unread(stream: Readable): Readable {
  stream.destroy();
  return Readable.from([]);
}
