import helmet from '@fastify/helmet';
import plugin from 'fastify-plugin';
import { releaseHeader } from '#contract';

/** Paths whose answers must not be cached, unless their route sets `cache-control`. */
const apiPath = /^\/api(?:[/?]|$)/;

interface HeaderOptions {
  secure: boolean;
  /** Origin from which images are loaded besides the app's own. */
  imageOrigin: string | undefined;
  /** The release of the web app that this server serves, if any: an open page compares it with its own. */
  release: string | undefined;
}

/**
 * Security headers. The web app loads everything from its own origin, except images that the storage delivers, so no other
 * one is allowed.
 */
export const headers = plugin<HeaderOptions>(async (app, { secure, imageOrigin, release }) => {
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        imgSrc: ["'self'", 'blob:', 'data:', ...(imageOrigin === undefined ? [] : [imageOrigin])],
        styleSrc: ["'self'", "'unsafe-inline'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        upgradeInsecureRequests: secure ? [] : null,
      },
    },
    strictTransportSecurity: secure,
    // Without https, browsers ignore it and write an error to their console.
    crossOriginOpenerPolicy: secure,
    // The same as `frameAncestors`, for browsers that do not support it.
    xFrameOptions: { action: 'deny' },
    crossOriginEmbedderPolicy: false,
  });
  app.addHook('onSend', async (request, reply) => {
    if (!apiPath.test(request.url)) return;
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    if (release !== undefined) reply.header(releaseHeader, release);
  });
});
