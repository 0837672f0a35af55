import type { IncomingMessage, ServerResponse } from 'node:http';
import plugin from 'fastify-plugin';
import helmet from 'helmet';
import { releaseHeader } from '#contract';
import { hasBody } from './deadline.ts';

/** Paths whose answers must not be cached, unless their route sets `cache-control`. */
const apiPath = /^\/api(?:[/?]|$)/;

/**
 * What a browser must not give to any script of a page, or of a frame in it. The product uses the clipboard and the full
 * screen, and a phone's own camera for choosing a photo, which needs no permission.
 */
const deniedFeatures = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'screen-wake-lock',
  'serial',
  'usb',
  'window-management',
  'xr-spatial-tracking',
];
/** For passkeys. */
const ownFeatures = ['publickey-credentials-create', 'publickey-credentials-get'];
const permissionsPolicy = [
  ...deniedFeatures.map((name) => `${name}=()`),
  ...ownFeatures.map((name) => `${name}=(self)`),
].join(', ');

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
  const securityHeaders = headersOf(
    helmet({
      contentSecurityPolicy: {
        directives: {
          defaultSrc: ["'self'"],
          imgSrc: ["'self'", 'blob:', 'data:', ...(imageOrigin === undefined ? [] : [imageOrigin])],
          styleSrc: ["'self'"],
          fontSrc: ["'self'"],
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
    }),
  );
  const securityMap = new Map(Object.entries(securityHeaders));
  app.addHook('onRequest', (request, reply, done) => {
    // What is set by Fastify costs less, but the deadline of a body answers without Fastify.
    if (hasBody(request.raw)) reply.raw.setHeaders(securityMap);
    else reply.headers(securityHeaders);
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (apiPath.test(request.url)) {
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
      if (release !== undefined) reply.header(releaseHeader, release);
    }
    done(null, payload);
  });
});

/** What a middleware sets, and the permissions policy: the same for all requests. */
function headersOf(middleware: ReturnType<typeof helmet>): Record<string, string> {
  const headers: Record<string, string> = { 'permissions-policy': permissionsPolicy };
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader() {},
  };
  middleware({} as IncomingMessage, response as unknown as ServerResponse, (error?: unknown) => {
    if (error) throw error;
  });
  return headers;
}
