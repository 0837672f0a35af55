import { providerCallDuration, runningJobs, workerConcurrency } from '#shared/metrics/metrics.ts';
import { beginProviderCosts } from '#shared/metrics/provider-cost.ts';
import type { Collect } from '#shared/metrics/serve.ts';
import { type StoreHealth, showStoreHealth } from '#shared/metrics/store-health.ts';
import type { WorkerContext } from './context.ts';
import { type Provider, ProviderError } from './providers/provider.ts';

/** Makes a provider that measures its calls. */
export function measureCalls(provider: Provider): Provider {
  return {
    ...provider,
    async edit(request) {
      const began = performance.now();
      const end = (outcome: string, status: number | null) => {
        const seconds = (performance.now() - began) / 1_000;
        providerCallDuration.observe({ outcome, status: status === null ? 'none' : String(status) }, seconds);
      };
      try {
        const result = await provider.edit(request);
        end('succeeded', 200);
        return result;
      } catch (error) {
        if (error instanceof ProviderError) end(error.kind, error.status);
        throw error;
      }
    },
  };
}

/** Sets the gauges of a worker. */
export function collectWorkerMetrics(
  { config, underWay }: WorkerContext,
  storeHealth: () => Promise<StoreHealth>,
): Collect {
  workerConcurrency.set(config.worker.concurrency);
  beginProviderCosts(config.image);
  return async () => {
    runningJobs.set(underWay.size);
    showStoreHealth(await storeHealth());
  };
}
