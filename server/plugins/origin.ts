import type { IncomingMessage } from 'node:http';
import plugin from 'fastify-plugin';
import { paths } from '#contract';
import { replyWithError } from '#server/http/errors.ts';
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

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Why a page of another site may lead a browser to this route, with the seller's cookie: one of the API, or by POST. */
    openToOtherSites?: string;
  }
}

/**
 * Protects against CSRF: refuses cross-site requests that change something, and those that read the API, where a route does not
 * say that it is open to them. Reading may cost what is limited, such as a download, and a link of another site carries the cookie
 * (docs/sessions.md).
 */
export const sameOrigin = plugin<{ publicUrl: string | undefined }>(async (app, { publicUrl }) => {
  // The pages of the API's documentation and its files, which a plugin registers.
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith(paths.docs))
      route.config = { ...route.config, openToOtherSites: 'documentation' };
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { method, routeOptions, headers } = request;
    if (method === 'OPTIONS' || (method === 'POST' && routeOptions.config.openToOtherSites)) return done();
    const site = headers['sec-fetch-site'];
    if (method === 'GET' || method === 'HEAD') {
      // Without a route, the address as it was sent.
      const isOfApi = (routeOptions.url ?? request.url).startsWith('/api/');
      const isOpen = !isOfApi || routeOptions.config.openToOtherSites !== undefined;
      // Programs, and browsers without https, send no header: they are accepted, as before.
      if (isOpen || site === undefined) return done();
    }
    const own =
      site === undefined ? isOwnOrigin(request.raw, publicUrl) : site === 'same-origin' || site === 'none';
    if (own) return done();
    // Answered here: the queue board's own error handler does not know our errors.
    replyWithError(new AppError('CROSS_SITE'), request, reply);
  });
});
