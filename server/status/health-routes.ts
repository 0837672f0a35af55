import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { ping } from '#shared/data/connect.ts';
import { logStorageError, StorageError } from '#shared/storage/storage-error.ts';

/** How long a store may take to answer, in ms. */
const answerMs = 2_000;

/** Liveness at `/healthz` and readiness at `/readyz`, for load balancers and start scripts. */
export async function healthRoutes(app: App, { context }: { context: ServerContext }) {
  const { db, queue, storage, config, log } = context;

  app.get(
    '/healthz',
    {
      logLevel: 'warn',
      schema: {
        operationId: 'getHealth',
        tags: ['service'],
        summary: 'The process is running',
        response: { 200: z.object({ status: z.literal('ok') }) },
      },
    },
    async () => ({ status: 'ok' as const }),
  );

  const check = z.enum(['ok', 'failed']);
  const reply = z.object({
    status: z.enum(['ok', 'degraded', 'failed']),
    database: check,
    storage: check,
    queue: check,
  });
  app.get(
    '/readyz',
    {
      logLevel: 'warn',
      schema: {
        operationId: 'getReadiness',
        tags: ['service'],
        summary: 'The server can answer requests',
        description:
          'It can without the queue (`degraded`): submissions are stored and processed once the queue is back.',
        response: { 200: reply, 503: reply },
      },
    },
    async (_request, answer) => {
      const [database, folder, jobs] = await Promise.all([
        answers(() => ping(db)),
        answers(() => storage.checkRoom(config.storageReserveBytes).catch(logFailure)),
        answers(() => queue.getJobCounts('waiting')),
      ]);
      const serves = database === 'ok' && folder === 'ok';
      const status = !serves ? 'failed' : jobs === 'failed' ? 'degraded' : 'ok';
      return answer.status(serves ? 200 : 503).send({ status, database, storage: folder, queue: jobs });
    },
  );

  function logFailure(error: unknown): never {
    if (error instanceof StorageError) logStorageError(log, error);
    throw error;
  }
}

async function answers(ask: () => Promise<unknown>): Promise<'ok' | 'failed'> {
  const giveUp = new AbortController();
  try {
    return await Promise.race([
      ask().then(() => 'ok' as const),
      wait(answerMs, 'failed' as const, { signal: giveUp.signal, ref: false }),
    ]);
  } catch {
    return 'failed';
  } finally {
    giveUp.abort();
  }
}
