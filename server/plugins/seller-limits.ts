import type { FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { requestLimits } from '#contract/request-limits.ts';
import type { ServerContext } from '#server/http/context.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import { countAndTell } from '#server/http/told-limits.ts';

/** Name of a rate limit per seller. */
type SellerLimit = keyof typeof requestLimits.seller;

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Hook that limits a seller's requests to a route, for all servers together. It runs after `requireSession` and before
     * the body is read.
     * @throws AppError RATE_LIMITED
     */
    limitSeller(name: SellerLimit): (request: FastifyRequest) => Promise<void>;
  }
}

/** Rate limits per seller. Register it before the routes. */
export const sellerLimits = plugin<{ context: ServerContext }>(async (app, { context }) => {
  const byName = new Map<SellerLimit, ReturnType<typeof createLimit>>();
  const createLimit = (name: SellerLimit) => {
    const limit = requestLimits.seller[name];
    const { requests, seconds } = limit;
    const count = createRateLimit(context.db, {
      name: `seller_${name.replaceAll('-', '_')}`,
      points: requests,
      seconds,
      // So that a flood does not cause a database query per request.
      remembered: true,
      ...('atOnce' in limit && { atOnce: limit.atOnce }),
    });
    return (request: FastifyRequest) =>
      countAndTell(request, { name, requests, seconds }, () => count(request.caller.sellerId));
  };
  app.decorate('limitSeller', (name: SellerLimit) => {
    const limit = byName.get(name) ?? createLimit(name);
    byName.set(name, limit);
    return limit;
  });
});
