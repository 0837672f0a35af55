import helmet from '@fastify/helmet';
import plugin from 'fastify-plugin';

/** Paths whose answers are somebody's own; what may be kept all the same, such as images, says so itself. */
const personal = /^\/api(?:[/?]|$)/;

/** Security headers. The app brings all of its own files, so nothing from elsewhere is let in. */
export const headers = plugin<{ secure: boolean }>(async (app, { secure }) => {
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        imgSrc: ["'self'", 'blob:', 'data:'],
        styleSrc: ["'self'", "'unsafe-inline'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        upgradeInsecureRequests: secure ? [] : null,
      },
    },
    strictTransportSecurity: secure,
    // The same as `frameAncestors`, for browsers that do not know that.
    xFrameOptions: { action: 'deny' },
    crossOriginEmbedderPolicy: false,
  });
  app.addHook('onSend', async (request, reply) => {
    if (personal.test(request.url) && !reply.hasHeader('cache-control')) {
      reply.header('cache-control', 'no-store');
    }
  });
});
