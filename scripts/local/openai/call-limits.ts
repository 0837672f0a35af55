/** The limits of an account, enforced as a provider does: calls in any window of time, and calls at the same time. */
import type { Behaviour } from './behaviour.ts';

type Limits = Extract<Behaviour, { kind: 'limits' }>;

/** Counts the calls of one server. */
export class CallLimits {
  /** When the calls were admitted that still count. */
  #admitted: number[] = [];
  readonly #running = new Set<string>();

  /** Forgets all calls. */
  clear(): void {
    this.#admitted = [];
    this.#running.clear();
  }

  /** @returns what the call does: it is admitted, or refused with 429 */
  admit(limits: Limits, requestId: string): Behaviour {
    const { perWindow, windowMs, inFlight, ms } = limits;
    const now = Date.now();
    this.#admitted = this.#admitted.filter((at) => at > now - windowMs);
    const headers = () => this.#headers(limits, now);
    const isFull = inFlight !== undefined && this.#running.size >= inFlight;
    if (isFull || (perWindow !== undefined && this.#admitted.length >= perWindow)) {
      const type = isFull ? 'concurrency' : 'requests';
      return { kind: 'error', status: 429, code: 'rate_limit_exceeded', type, headers: headers() };
    }
    this.#admitted.push(now);
    this.#running.add(requestId);
    return { kind: 'slow', ms, headers: headers() };
  }

  /** Counts the end of a call. */
  end(requestId: string): void {
    this.#running.delete(requestId);
  }

  #headers({ perWindow, windowMs }: Limits, now: number): Record<string, string> {
    if (perWindow === undefined) return {};
    const last = this.#admitted.at(-1) ?? now - windowMs;
    return {
      'x-ratelimit-limit-requests': String(perWindow),
      'x-ratelimit-remaining-requests': String(perWindow - this.#admitted.length),
      'x-ratelimit-reset-requests': `${last + windowMs - now}ms`,
    };
  }
}
