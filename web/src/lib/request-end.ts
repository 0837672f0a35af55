import { type GenerationView, hasEnded } from '#contract';

/** How a request ended. */
export type RequestEnd = 'succeeded' | 'failed';

/**
 * How a request ended with these takes: `succeeded` if any image was made. Null while one is being made, and if all were
 * cancelled.
 */
export function requestEnd(takes: readonly Pick<GenerationView, 'state'>[]): RequestEnd | null {
  if (takes.some(({ state }) => !hasEnded(state))) return null;
  if (takes.some(({ state }) => state === 'succeeded')) return 'succeeded';
  return takes.some(({ state }) => state === 'failed') ? 'failed' : null;
}
