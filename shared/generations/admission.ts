import type { ProfileRow } from '#shared/data/profiles/schema.ts';

/** What admitted an upload: the profile as it was read, for which the rules that depend on no form were asked. */
export interface Admitted {
  profile: ProfileRow;
  /** When the reading began, by `performance.now()`. */
  at: number;
}

/** For how long the rules need not be asked once more for the same request, in ms. */
const recentMs = 1_000;

/**
 * The profile that has just admitted the upload of a request. What it may have is decided by the holds, which are placed by
 * compare-and-set, and what it may call by the worker before the call.
 * @returns null when there is none, or it took too long since
 */
export function recentAdmission(admitted: Admitted | null | undefined): ProfileRow | null {
  return admitted && performance.now() - admitted.at < recentMs ? admitted.profile : null;
}
