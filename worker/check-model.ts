import { recordModelProblem } from '#shared/data/queue/provider-flow.ts';
import type { Config } from '#shared/platform/config.ts';
import { findPrice, isBilled } from '#shared/platform/image-prices.ts';
import type { Log } from '#shared/platform/log.ts';
import type { WorkerContext } from './context.ts';

/**
 * Asks once whether the model exists, and tells operators if it does not: in the log, and on their page. A provider that
 * cannot be asked changes nothing: calls show whether it works. Never rejects, and need not be awaited.
 */
export async function checkModel({
  db,
  provider,
  config,
  log,
}: Pick<WorkerContext, 'db' | 'provider' | 'config' | 'log'>): Promise<void> {
  const { model } = config.image;
  try {
    const problem = await provider.modelProblem();
    if (problem !== null)
      log.warn({ model, problem }, 'images may fail: check IMAGE_MODEL and OPENAI_API_KEY');
    await recordModelProblem(db, problem);
  } catch (error) {
    log.debug({ err: error, model }, 'the provider was not asked for its model');
  }
}

/** Says when a worker starts that nobody knows what its calls will cost. */
export function warnOfUnknownPrice({ image }: Pick<Config, 'image'>, log: Log): void {
  const { provider, model, prices } = image;
  if (!isBilled(provider) || findPrice(prices, model, new Date().toISOString().slice(0, 10))) return;
  log.warn({ model }, 'no price of the model is known: what its images cost is unknown. Set IMAGE_PRICES');
}
