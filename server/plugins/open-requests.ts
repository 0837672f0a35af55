import plugin from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyInstance {
    /** Resolves when no request is under way, at the latest after so many ms. */
    drained(atMostMs: number): Promise<void>;
  }
}

/**
 * Counts requests under way, so that the end of a server waits for them and for nothing else: until the answer is sent
 * or the client has gone, and until the handler has come to its end even where nobody hears its answer.
 */
export const drain = plugin(async (app) => {
  let underWay = 0;
  let whenNone: (() => void) | undefined;
  /** @returns what counts it out again */
  const begin = () => {
    underWay += 1;
    return () => {
      underWay -= 1;
      if (underWay === 0) whenNone?.();
    };
  };
  app.addHook('onRequest', async (_request, reply) => {
    // Comes once the answer is sent, and also where the client has gone before.
    reply.raw.once('close', begin());
  });
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function counted(request, reply) {
      const answer: unknown = handler.call(this, request, reply);
      if (answer instanceof Promise) void answer.finally(begin()).catch(() => {});
      return answer;
    };
  });
  app.decorate('drained', async (atMostMs: number) => {
    if (underWay === 0) return;
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, atMostMs);
      whenNone = () => {
        clearTimeout(late);
        resolve();
      };
    });
  });
});
