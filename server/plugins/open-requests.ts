import plugin from 'fastify-plugin';

/** How long requests in progress get to finish when the server closes, in ms. */
export const requestEndMs = 10_000;

declare module 'fastify' {
  interface FastifyInstance {
    /** Resolves when no request is in progress, or after `maxMs`. */
    requestsEnded(maxMs: number): Promise<void>;
    /** From now on each reply has its connection closed. */
    endConnections(): void;
  }
}

/**
 * Counts requests in progress, so that the server closes its stores only after they have ended
 * (docs/decisions/0025-close-with-grace-ends-processes.md). A request has ended when its connection has sent the answer or
 * has closed, and its handler has returned: a handler keeps running when its client disconnects.
 */
export const openRequests = plugin(async (app) => {
  let open = 0;
  let onNone: (() => void) | undefined;
  let endsConnections = false;
  const begin = () => {
    open += 1;
  };
  const end = () => {
    open -= 1;
    if (open === 0) onNone?.();
  };

  app.addHook('onRequest', (_request, reply, done) => {
    begin();
    // Each concern of a request listens once for its end; with a stream as the answer they are more than Node takes for a leak.
    reply.raw.setMaxListeners(20);
    if (endsConnections) reply.header('connection', 'close');
    // Emitted after the answer is sent, and also when the client disconnects before that.
    reply.raw.once('close', end);
    done();
  });

  app.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function counted(request, reply) {
      const answer: unknown = handler.call(this, request, reply);
      if (answer instanceof Promise) {
        begin();
        answer.then(end, end);
      }
      return answer;
    };
  });

  app.decorate('endConnections', () => {
    endsConnections = true;
  });

  app.decorate('requestsEnded', async (maxMs: number) => {
    if (open === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, maxMs);
      onNone = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  });
});
