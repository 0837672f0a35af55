import { SentinelConnector } from 'ioredis';

/**
 * Connects to the master that the sentinels name, and to the next one after a failover.
 *
 * The detector of ioredis, which hears of a failover from the sentinels, outlives the connection that it was made for. If
 * it hears of one while the client connects again, the client gives up and stays closed for ever: here it ends first.
 */
export class ReconnectingSentinelConnector extends SentinelConnector {
  override connect(...given: Parameters<SentinelConnector['connect']>) {
    const { failoverDetector } = this as unknown as { failoverDetector: { cleanup(): void } | null };
    failoverDetector?.cleanup();
    return super.connect(...given);
  }
}
