import type { FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { requestLimits } from '#contract/request-limits.ts';
import type { ServerContext } from '#server/http/context.ts';
import { networkOf } from '#server/http/network.ts';
import { createNetworkRateLimit } from '#server/http/rate-limit.ts';
import { countAndTell } from '#server/http/told-limits.ts';

/** Name of a rate limit per network. */
export type NetworkLimit = keyof typeof requestLimits.network;

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Hook that limits requests to a route per network, and per wider network, for all servers together. It runs before the
     * body is read.
     * @throws AppError RATE_LIMITED
     */
    limitNetwork(name: NetworkLimit): (request: FastifyRequest) => Promise<void>;
  }
  interface FastifyRequest {
    /** The client's network, read behind the trusted proxies. */
    readonly network: string;
  }
}

/** Rate limits per network, and the network of each request. */
export const networkLimits = plugin<{ context: ServerContext }>(async (app, { context }) => {
  const { config, db } = context;
  const createLimit = (name: NetworkLimit) => {
    const limit = requestLimits.network[name];
    const { seconds } = limit;
    const requests = Math.max(1, Math.floor(limit.requests * config.networkLimitFactor));
    const count = createNetworkRateLimit(db, {
      name: `network_${name.replaceAll('-', '_')}`,
      points: requests,
      seconds,
      ...('atOnce' in limit && { atOnce: limit.atOnce }),
      message: (wait) => `Too many requests from your network. Please try again in ${waitText(wait)}.`,
      // So that a flood does not cause a database query per request.
      remembered: true,
    });
    return (request: FastifyRequest) =>
      countAndTell(request, { name: `network-${name}`, requests, seconds }, () => count(request.network));
  };
  const byName = new Map<NetworkLimit, ReturnType<typeof createLimit>>();

  app.decorateRequest('network', {
    getter(this: FastifyRequest) {
      return networkOf(this.ip);
    },
  });

  app.decorate('limitNetwork', (name: NetworkLimit) => {
    const limit = byName.get(name) ?? createLimit(name);
    byName.set(name, limit);
    return limit;
  });
});

/** In seconds below two minutes, else in minutes. */
function waitText(seconds: number): string {
  if (seconds >= 120) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
