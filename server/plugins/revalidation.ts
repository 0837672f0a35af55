import { hash } from 'node:crypto';
import plugin from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a browser may keep the replies of this route, and asks each time whether they have changed. */
    revalidated?: boolean;
  }
}

/** What a reply depends on besides its address: the next seller at this browser must not be shown it. */
const varies = 'Authorization, Cookie';

/**
 * Gives the replies of routes that say so an entity tag, and answers 304 to a client that has the same one
 * (docs/decisions/0132-what-lists-cost.md). The tag is a hash of the whole reply: no change can be forgotten. It is weak, because
 * proxies that compress remove or change others. Register it before what forbids to keep replies.
 */
export const revalidation = plugin(async (app) => {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { config } = request.routeOptions;
    if (config.revalidated !== true || reply.statusCode !== 200 || typeof payload !== 'string') {
      return done(null, payload);
    }
    const tag = `"${hash('sha256', payload, 'base64url')}"`;
    reply.headers({ etag: `W/${tag}`, 'cache-control': 'private, no-cache', vary: varies });
    if (!isKnown(request.headers['if-none-match'], tag)) return done(null, payload);
    reply.code(304).removeHeader('content-type').removeHeader('content-length');
    done(null, null);
  });
});

/** Whether a list of entity tags has this one; `W/` makes no difference. */
function isKnown(list: string | undefined, tag: string): boolean {
  return list?.split(',').some((each) => each.trim().replace(/^W\//, '') === tag) ?? false;
}
