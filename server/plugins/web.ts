import { existsSync } from 'node:fs';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import plugin from 'fastify-plugin';
import { AppError } from '#shared/platform/errors.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

/** Serves the built web app, and its index page for unknown paths outside the API, which are routes of the app. */
export const web = plugin(async (app) => {
  const folder = join(rootFolder, 'web', 'dist');
  const built = existsSync(join(folder, 'index.html'));
  if (built) {
    await app.register(staticFiles, {
      root: folder,
      wildcard: false,
      setHeaders: (reply, path) => {
        // Files under assets/ have a hash of their content in their name.
        const isImmutable = path.includes(`${join('dist', 'assets')}`);
        reply.header('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const acceptsHtml = request.method === 'GET' && request.headers.accept?.includes('text/html');
    if (built && acceptsHtml && !/^\/api(?:[/?]|$)/.test(request.url)) return reply.sendFile('index.html');
    const appError = new AppError('NOT_FOUND');
    return reply.status(appError.status).send(appError.toReply(request.id));
  });
});
