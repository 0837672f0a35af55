import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** Answers leave at whole steps of this, in ms; what depends on whether an address is known takes far less. */
const stepMs = 250;

/** Waits until a request has taken a whole number of steps: how long its work took is not to be seen. */
export async function padResponseTime(reply: FastifyReply): Promise<void> {
  await wait(stepMs - (reply.elapsedTime % stepMs));
}

/** Does work for a request in even time, whether it ends well or not. */
export async function withPaddedResponseTime<Result>(
  reply: FastifyReply,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } finally {
    await padResponseTime(reply);
  }
}
