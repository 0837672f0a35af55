import { setTimeout as wait } from 'node:timers/promises';
import { hasEnded, limits } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { findGeneration } from '#shared/data/generations/find.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { AppError } from '#shared/platform/errors.ts';

/** Waits until generations of sellers have ended. */
export interface EndWaits {
  /**
   * @param seconds how long at most; the event of the end may be lost, so that it may take as long as that
   * @param disconnected aborted when nobody waits any more
   * @returns the generation as it is then
   * @throws AppError NOT_FOUND; RATE_LIMITED when `limits.apiWaits` requests of the seller wait on this server
   */
  untilEnded(
    sellerId: string,
    id: string,
    seconds: number,
    disconnected: AbortSignal,
  ): Promise<GenerationRow>;
  /** Ends all waits: each is answered with the generation as it is. For a server that closes. */
  endAll(): void;
}

/** The waits of one server. */
export function createEndWaits({ db, relay }: Pick<ServerContext, 'db' | 'relay'>): EndWaits {
  const waiting = new Map<string, number>();
  const closing = new AbortController();

  async function find(sellerId: string, id: string): Promise<GenerationRow> {
    const row = await findGeneration(db, sellerId, id);
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  }

  async function waitForEnd(
    sellerId: string,
    id: string,
    ms: number,
    disconnected: AbortSignal,
  ): Promise<void> {
    const over = new AbortController();
    const stop = () => over.abort();
    for (const signal of [disconnected, closing.signal]) signal.addEventListener('abort', stop);
    if (closing.signal.aborted) stop();
    // Before the row is read again: an end in between is not missed.
    const unsubscribe = await relay.subscribe(sellerId, ({ generation, generationRemoved }) => {
      if (generationRemoved?.id === id || (generation?.id === id && hasEnded(generation.state))) stop();
    });
    try {
      if (hasEnded((await find(sellerId, id)).state)) return;
      await wait(ms, undefined, { signal: over.signal }).catch(() => {});
    } finally {
      for (const signal of [disconnected, closing.signal]) signal.removeEventListener('abort', stop);
      await unsubscribe();
    }
  }

  return {
    endAll: () => closing.abort(),
    async untilEnded(sellerId, id, seconds, disconnected) {
      const row = await find(sellerId, id);
      if (seconds === 0 || hasEnded(row.state) || disconnected.aborted) return row;
      const others = waiting.get(sellerId) ?? 0;
      if (others >= limits.apiWaits) {
        throw new AppError('RATE_LIMITED', {
          retryAfterSeconds: limits.apiWaitSeconds,
          message: `${limits.apiWaits} of your requests wait for images already. Please ask without waiting, or later.`,
        });
      }
      waiting.set(sellerId, others + 1);
      try {
        await waitForEnd(sellerId, id, seconds * 1_000, disconnected);
      } finally {
        const left = waiting.get(sellerId)! - 1;
        if (left === 0) waiting.delete(sellerId);
        else waiting.set(sellerId, left);
      }
      return find(sellerId, id);
    },
  };
}
