import helmet from '@fastify/helmet';
import plugin from 'fastify-plugin';

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
});
