import plugin from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyInstance {
    /** Resolves when no request is under way, at the latest after so many ms. */
    drained(atMostMs: number): Promise<void>;
  }
}

/** Counts requests under way, so that the end of a server waits for them and for nothing else. */
export const drain = plugin(async (app) => {
  let underWay = 0;
  let whenNone: (() => void) | undefined;
  app.addHook('onRequest', async () => {
    underWay += 1;
  });
  const done = async () => {
    underWay -= 1;
    if (underWay === 0) whenNone?.();
  };
  app.addHook('onResponse', done);
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
