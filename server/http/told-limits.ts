import type { FastifyReply } from 'fastify';
import { AppError } from '#shared/platform/errors.ts';
import type { RateLeft } from './rate-limit.ts';

/** A limit as replies name it. */
export interface LimitPolicy {
  name: string;
  /** How many requests there may be in a window; without `seconds`, at the same time. */
  requests: number;
  seconds?: number;
}

/**
 * Says in a reply what is left of the limits that its request counts for, by the headers of the draft "RateLimit header fields for
 * HTTP" of the IETF.
 */
export class ToldLimits {
  readonly #policies = new Map<string, string>();
  readonly #left = new Map<string, string>();
  readonly #reply: FastifyReply;

  constructor(reply: FastifyReply) {
    this.#reply = reply;
  }

  /** Says what is left of a limit, in place of what was said of it before. */
  tell({ name, requests, seconds }: LimitPolicy, left: RateLeft): void {
    this.#policies.set(
      name,
      `"${name}";q=${requests};${seconds === undefined ? 'qu="concurrent-requests"' : `w=${seconds}`}`,
    );
    this.#left.set(name, `"${name}";r=${left.requests};t=${left.seconds}`);
    this.#reply.header('ratelimit-policy', [...this.#policies.values()].join(', '));
    this.#reply.header('ratelimit', [...this.#left.values()].join(', '));
  }

  /** Says that a limit has refused the request, if that is the error. */
  tellRefusal(policy: LimitPolicy, error: unknown): void {
    if (!(error instanceof AppError) || error.code !== 'RATE_LIMITED') return;
    this.tell(policy, { requests: 0, seconds: error.retryAfterSeconds! });
  }
}

/** Counts a request for a limit, and tells a program so. @throws AppError RATE_LIMITED */
export async function countAndTell(
  { toldLimits }: { toldLimits: ToldLimits | null },
  policy: LimitPolicy,
  count: () => Promise<RateLeft>,
): Promise<void> {
  try {
    const left = await count();
    toldLimits?.tell(policy, left);
  } catch (error) {
    toldLimits?.tellRefusal(policy, error);
    throw error;
  }
}
