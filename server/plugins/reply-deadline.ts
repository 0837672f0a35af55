import type { ServerResponse } from 'node:http';
import plugin from 'fastify-plugin';
import type { Deadlines } from './deadline.ts';

type ReplyDeadlines = Pick<Deadlines, 'replyMs' | 'replyBytesPerSecond'>;

/**
 * Ends replies that their clients do not read, so that what waits for them does not stay in memory: without any progress
 * for `replyMs`, or more slowly than `replyBytesPerSecond` after that time. The time in which this server makes the reply
 * does not count.
 */
export const replyDeadline = plugin<{ deadlines: Deadlines }>(async (app, { deadlines }) => {
  const open = new Map<ServerResponse, ReplyMeter>();
  app.addHook('onRequest', (_request, { raw }, done) => {
    open.set(raw, createReplyMeter(deadlines));
    raw.once('close', () => open.delete(raw));
    done();
  });
  const timer = setInterval(() => {
    for (const [{ socket }, meter] of open) {
      // Without a socket it is behind another reply of its connection.
      if (!socket) continue;
      const { bytesWritten, writableLength: waiting } = socket;
      if (meter.isOverdue(performance.now(), bytesWritten - waiting, waiting > 0)) socket.destroy();
    }
  }, deadlines.replyCheckMs).unref();
  app.addHook('onClose', () => clearInterval(timer));
});

/** How a client reads a reply. */
interface ReplyMeter {
  /**
   * @param now in ms
   * @param taken bytes that were sent on the connection so far
   * @param waits whether others wait for the client to read
   * @returns whether the reply is to be ended
   */
  isOverdue(now: number, taken: number, waits: boolean): boolean;
}

export function createReplyMeter({ replyMs, replyBytesPerSecond }: ReplyDeadlines): ReplyMeter {
  /** At the last check. */
  let last: { now: number; taken: number; waits: boolean } | undefined;
  /** Time in which bytes waited: in all, and since some were taken. */
  let [waitedMs, idleMs, takenBytes] = [0, 0, 0];
  return {
    isOverdue(now, taken, waits) {
      const passedMs = last?.waits && waits ? now - last.now : 0;
      const isRead = last !== undefined && taken > last.taken;
      waitedMs += passedMs;
      idleMs = isRead || !waits ? 0 : idleMs + passedMs;
      takenBytes += last === undefined ? 0 : taken - last.taken;
      last = { now, taken, waits };
      return idleMs >= replyMs || waitedMs >= replyMs + (takenBytes / replyBytesPerSecond) * 1_000;
    },
  };
}
