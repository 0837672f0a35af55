import type { IncomingMessage } from 'node:http';
import plugin from 'fastify-plugin';
import { AppError } from '#shared/platform/errors.ts';

/**
 * Whether the `Origin` of a request is our own: the public URL if set, else the requested host. Requests without `Origin`
 * are accepted: they come from programs, which do not have a browser's cookies.
 */
export function isOwnOrigin(request: IncomingMessage, publicUrl: string | undefined): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  if (publicUrl !== undefined) return origin === new URL(publicUrl).origin;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** Protects against CSRF: refuses cross-site requests that change something (docs/sessions.md). */
export const sameOrigin = plugin<{ publicUrl: string | undefined }>(async (app, { publicUrl }) => {
  app.addHook('onRequest', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return;
    const site = request.headers['sec-fetch-site'];
    const own =
      site === undefined ? isOwnOrigin(request.raw, publicUrl) : site === 'same-origin' || site === 'none';
    if (!own) throw new AppError('CROSS_SITE');
  });
});
