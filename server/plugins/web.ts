import { join } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { chooseEncoding } from '#server/site/encodings.ts';
import { readSiteManifest } from '#server/site/manifest.ts';
import { openPageFiles } from '#server/site/page-files.ts';
import type { Config } from '#shared/platform/config.ts';
import { AppError } from '#shared/platform/errors.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

/**
 * Serves the built web app: its files, its prerendered pages, and for the app's other pages the page without content.
 * Every other address outside the API is answered 404, with a page for browsers. Without `site` there are no pages.
 */
export const web = plugin<{ config: Config; site: boolean }>(async (app, { config, site: isServed }) => {
  const folder = join(rootFolder, 'web', 'dist');
  const site = isServed ? await readSiteManifest(folder) : null;
  const answerNotFound = (request: FastifyRequest, reply: FastifyReply) => {
    const appError = new AppError('NOT_FOUND');
    return reply.status(appError.status).send(appError.toReply(request.id));
  };
  if (site === null) {
    app.setNotFoundHandler(answerNotFound);
    return;
  }

  await app.register(staticFiles, {
    root: join(folder, 'static'),
    wildcard: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      // Files under assets/ have a hash of their content in their name.
      const isImmutable = path.includes(join('static', 'assets'));
      reply.header('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });

  const { linkUrl: publicUrl, tryOut, welcomeImages } = config;
  const attributes = `data-free-images="${welcomeImages}"${tryOut ? ' data-try-out' : ''}`;
  const readPageFile = openPageFiles({ origin: site.origin, publicUrl, attributes });
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
  for (const [path, { file, type }] of Object.entries(site.files)) {
    app.get(path, { schema: { hide: true } }, (request, reply) => send(file, type, request, reply));
  }
  const pages = [...Object.entries(site.pages), ...site.appPaths.map((path) => [path, site.shell] as const)];
  for (const [path, file] of pages) {
    app.get(path, { schema: { hide: true } }, (request, reply) => sendPage(file, request, reply));
    if (path === '/') continue;
    app.get(`${path}/`, { schema: { hide: true } }, (request, reply) =>
      reply.redirect(request.url.replace(/\/(?=\?|$)/, ''), 308),
    );
  }

  app.setNotFoundHandler((request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const acceptsHtml = isRead && request.headers.accept?.includes('text/html');
    if (!acceptsHtml || /^\/api(?:[/?]|$)/.test(request.url)) return answerNotFound(request, reply);
    return sendPage(site.notFound, request, reply.status(404));
  });
});
