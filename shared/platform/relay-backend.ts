import { type PostgresConnectionOptions, PostgresRelayBackend, type RelayBackendOptions } from 'bullmq';

/** The part of a lease for which it is not renewed again. */
const renewedPart = 0.1;

/** How often an inbox that is being read is trimmed, in ms. */
const trimMs = 1_000;

/*
 * BullMQ's relay renews the lease and trims the inbox for every event, besides doing both at regular times. On PostgreSQL
 * these are two of the four statements that an event costs each server, and the first one delays it
 * (docs/decisions/0076-cost-of-a-generation.md).
 */
class SparingRelayBackend extends PostgresRelayBackend {
  /** When the lease was last renewed, by `performance.now()`, which goes on while the process is suspended. */
  #renewedAt = Number.NEGATIVE_INFINITY;
  #trimmedAt = Number.NEGATIVE_INFINITY;
  #backlog = 0;

  /** Whether a lease is kept needs no statement just after it was renewed: it ends later than that, or not at all. */
  override async heartbeat(nodeId: string, leaseMs: number): Promise<boolean> {
    const now = performance.now();
    if (now - this.#renewedAt < leaseMs * renewedPart) return true;
    const isAlive = await super.heartbeat(nodeId, leaseMs);
    this.#renewedAt = isAlive ? now : Number.NEGATIVE_INFINITY;
    return isAlive;
  }

  /** Reading removes what was consumed; this only limits what was not. */
  override async trimInbox(nodeId: string, cursor: string, maxLength: number): Promise<number> {
    const now = performance.now();
    if (now - this.#trimmedAt >= trimMs) {
      this.#backlog = await super.trimInbox(nodeId, cursor, maxLength);
      this.#trimmedAt = now;
    }
    return this.#backlog;
  }
}

/** BullMQ's relay on PostgreSQL with half of the statements. */
export const createRelayBackend = (
  options: RelayBackendOptions<PostgresConnectionOptions>,
): SparingRelayBackend => new SparingRelayBackend(options);
