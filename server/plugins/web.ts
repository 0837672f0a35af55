import { existsSync } from 'node:fs';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import plugin from 'fastify-plugin';
import { AppError } from '#shared/platform/errors.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

/** The built web app; a path that is nobody's opens it, so that its own routes can be opened directly. */
export const web = plugin(async (app) => {
  const folder = join(rootFolder, 'web', 'dist');
  const built = existsSync(join(folder, 'index.html'));
  if (built) {
    await app.register(staticFiles, {
      root: folder,
      wildcard: false,
      setHeaders: (reply, path) => {
        // Files under assets/ carry a hash of their content in their name.
        const lasting = path.includes(`${join('dist', 'assets')}`);
        reply.header('cache-control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const forPerson = request.method === 'GET' && request.headers.accept?.includes('text/html');
    if (built && forPerson && !/^\/api(?:[/?]|$)/.test(request.url)) return reply.sendFile('index.html');
    const appError = new AppError('NOT_FOUND');
    return reply.status(appError.status).send(appError.toReply(request.id));
  });
});
