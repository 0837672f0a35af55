import { type GenerationFailureCode, type GenerationView, generationFailures } from '#contract';
import type { ShownGeneration } from '#shared/data/generations/shown-fields.ts';

/** Why a generation failed, as its seller sees it; null for all others. */
export function presentFailure({ failure, trace }: ShownGeneration): GenerationView['failure'] {
  if (!failure) return null;
  const { code } = failure;
  return { code: shownFailureCode(code), message: generationFailures[code], requestId: trace?.id ?? null };
}

/** Codes that the pages of the release before do not know, and refuse (docs/decisions/0081-releases.md). */
const newerCodes: readonly GenerationFailureCode[] = ['UNPAID_CALLS', 'NOT_COVERED'];

/** A failure's code in replies. Those that are new can be shown themselves from the next release on. */
export function shownFailureCode(code: GenerationFailureCode): GenerationFailureCode {
  return newerCodes.includes(code) ? 'GENERATION_FAILED' : code;
}
