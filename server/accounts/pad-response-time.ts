import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** Response times are multiples of this, in ms. The differences to be hidden are far smaller. */
const stepMs = 250;

/** Waits until a request has taken a multiple of `stepMs`, so that its duration does not tell what was done. */
export async function padResponseTime(reply: FastifyReply): Promise<void> {
  await wait(stepMs - (reply.elapsedTime % stepMs));
}

/** Runs a task for a request and pads the response time, whether the task succeeds or fails. */
export async function withPaddedResponseTime<Result>(
  reply: FastifyReply,
  task: () => Promise<Result>,
): Promise<Result> {
  try {
    return await task();
  } finally {
    await padResponseTime(reply);
  }
}
