import type { ServerContext } from '#server/http/context.ts';
import { checkCanGenerate } from '#shared/credits/holds.ts';
import { checkUnmade } from '#shared/credits/unmade.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { AppError } from '#shared/platform/errors.ts';

/**
 * Refuses a seller who could not make even one image of what is uploaded, before anything of a request is read.
 * @throws AppError as `checkCanGenerate` and `checkUnmade`, or UNAUTHENTICATED when the account is gone or being deleted
 */
export async function checkMayUpload({ db, config }: ServerContext, sellerId: string): Promise<ProfileRow> {
  const profile = await findActiveProfile(db, sellerId);
  if (!profile) throw new AppError('UNAUTHENTICATED');
  checkCanGenerate(profile, 1, config.billing.fairUse);
  await checkUnmade(db, profile);
  return profile;
}
