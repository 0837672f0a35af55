import { type GenerationView, generationFailures } from '#contract';
import type { ShownGeneration } from '#shared/data/generations/shown-fields.ts';

/** Why a generation failed, as its seller sees it; null for all others. */
export function presentFailure({ failure, trace }: ShownGeneration): GenerationView['failure'] {
  if (!failure) return null;
  const { code } = failure;
  return { code, message: generationFailures[code], requestId: trace?.id ?? null };
}
