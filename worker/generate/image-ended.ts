import type { Outcome } from '#shared/data/generations/attempts.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { sellersOwn } from '#shared/watch/conditions.ts';
import type { WorkerContext } from '../context.ts';

/**
 * Logs an image that this worker has made, that failed, or that another one took over or the seller cancelled meanwhile
 * (`superseded`): one line each. Counts those that ended here, for operators.
 * @param row as it was claimed: its calls are those before this attempt ended, and the attempt's own
 * @param attemptMs how long this attempt took
 */
export function imageEnded(
  { config, log, recentImages }: Pick<WorkerContext, 'config' | 'log' | 'recentImages'>,
  { _id: generation, profile: seller, quality, calls, options: { width, height } }: GenerationRow,
  outcome: Outcome | { state: 'superseded' },
  attemptMs: number,
): void {
  const code = outcome.state === 'failed' ? outcome.failure.code : undefined;
  if (outcome.state === 'succeeded') recentImages.add('made', attemptMs);
  if (code !== undefined && !sellersOwn.has(code)) recentImages.add('failed', attemptMs);
  const line = {
    generation,
    seller,
    provider: config.image.provider,
    model: config.image.model,
    size: `${width}x${height}`,
    quality,
    durationMs: Math.round(attemptMs),
    attempts: calls.started + (calls.refused ?? 0),
    outcome: outcome.state,
    ...(code !== undefined && { code }),
  };
  log.info(line, 'image');
}
