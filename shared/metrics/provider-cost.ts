import { imageQualities, imageSizes } from '#contract';
import type { CallCostRow } from '#shared/data/costs/provider-costs.ts';
import type { Config } from '#shared/platform/config.ts';
import { findPrice, isBilled } from '#shared/platform/image-prices.ts';
import { providerCost, unpricedCalls } from './metrics.ts';

/** Counts what a call cost. */
export function countProviderCost({
  provider,
  model,
  size,
  quality,
  state,
  amount,
}: Pick<CallCostRow, 'provider' | 'model' | 'size' | 'quality' | 'state'> & { amount: number | null }): void {
  const labels = { provider, model, size, quality };
  if (amount === null) unpricedCalls.inc(labels);
  else providerCost.inc({ ...labels, kind: state }, amount);
}

/** Begins what can be counted at 0: a counter that appears with its first call would hide that call. */
export function beginProviderCosts({ provider, model, prices }: Config['image']): void {
  if (!isBilled(provider)) return;
  const isPriced = findPrice(prices, model, new Date().toISOString().slice(0, 10)) !== null;
  for (const { width, height } of Object.values(imageSizes)) {
    for (const quality of imageQualities) {
      const labels = { provider, model, size: `${width}x${height}`, quality };
      if (!isPriced) unpricedCalls.inc(labels, 0);
      else for (const kind of ['exact', 'estimated']) providerCost.inc({ ...labels, kind }, 0);
    }
  }
}
