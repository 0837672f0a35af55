import type { IncomingMessage } from 'node:http';
import plugin from 'fastify-plugin';
import { AppError } from '#shared/platform/errors.ts';

/**
 * Whether a request's `Origin` is our own: the public address where one is set, else the host that was asked.
 * Programs send none, which is fine: they hold no browser's cookies.
 */
export function isOwnOrigin(request: IncomingMessage, publicUrl: string | undefined): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  if (publicUrl !== undefined) return origin === new URL(publicUrl).origin;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** Refuses changes that another site asks a browser for (docs/sessions.md). */
export const sameOrigin = plugin<{ publicUrl: string | undefined }>(async (app, { publicUrl }) => {
  app.addHook('onRequest', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return;
    const site = request.headers['sec-fetch-site'];
    const own =
      site === undefined ? isOwnOrigin(request.raw, publicUrl) : site === 'same-origin' || site === 'none';
    if (!own) throw new AppError('CROSS_SITE');
  });
});
