import { type PhotoFault, photoProblems } from '#shared/cutout/photo-problem.ts';

/**
 * Reads which photo could not be used and why, as the local service says it (`photo_details`); OpenAI says neither.
 * @param error the error as the provider sent it
 * @returns null if it does not say it
 */
export function photoFaultOf(error: unknown): PhotoFault | null {
  const { photo_details: details } = Object(error) as { photo_details?: unknown };
  const { problem: named, photo } = Object(details) as { problem?: unknown; photo?: unknown };
  const problem = photoProblems.find((each) => each === named);
  if (problem === undefined) return null;
  const isNumber = typeof photo === 'number' && Number.isInteger(photo) && photo >= 1 && photo <= 99;
  return { problem, photo: isNumber ? photo : null };
}
