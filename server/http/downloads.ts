import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Slots } from '#server/uploads/slots.ts';
import { disconnectedOf } from './disconnected.ts';

/**
 * Takes the slot of a download that is made while it is read. It is released when the connection of its reply closes, or the
 * reply is sent.
 * @returns aborted at that moment
 * @throws AppError TOO_MANY_DOWNLOADS or UNAVAILABLE when no slot was free in time
 */
export async function admitDownload(
  downloads: Slots,
  { caller }: FastifyRequest,
  reply: FastifyReply,
): Promise<AbortSignal> {
  const disconnected = disconnectedOf(reply);
  const { release } = await downloads.take(caller.sellerId, disconnected);
  if (disconnected.aborted) release();
  else disconnected.addEventListener('abort', release);
  return disconnected;
}
