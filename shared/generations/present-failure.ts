import { type GenerationFailureCode, type GenerationView, generationFailures } from '#contract';
import type { ShownGeneration } from '#shared/data/generations/shown-fields.ts';

/** Why a generation failed, as its seller sees it; null for all others. */
export function presentFailure({ failure, trace }: ShownGeneration): GenerationView['failure'] {
  if (!failure) return null;
  const { code } = failure;
  return { code: shownFailureCode(code), message: generationFailures[code], requestId: trace?.id ?? null };
}

/**
 * A failure's code in replies. UNPAID_CALLS is newer than the pages of the release before, which refuse a code that they do not
 * know: it can be shown itself from the next release on (docs/decisions/0081-releases.md).
 */
export function shownFailureCode(code: GenerationFailureCode): GenerationFailureCode {
  return code === 'UNPAID_CALLS' ? 'GENERATION_FAILED' : code;
}
