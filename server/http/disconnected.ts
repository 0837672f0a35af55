import type { FastifyReply } from 'fastify';
import { AppError } from '#shared/platform/errors.ts';

/** @returns a signal that is aborted when the connection of a reply closes; nobody reads its reason, an AppError */
export function disconnectedOf(reply: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  const abort = () => disconnected.abort(new AppError('UPLOAD_ABORTED'));
  if (reply.raw.closed) abort();
  else reply.raw.once('close', abort);
  return disconnected.signal;
}
