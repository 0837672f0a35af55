/*
 * Which factors an account keeps, as expressions of an update: several requests may change them at once, and without any
 * left the recovery codes must go too (docs/decisions/0091-passkeys.md).
 */

/** Factors to keep: whether the authenticator app may stay, and an expression of the passkeys that do. */
interface Kept {
  app: boolean | object;
  passkeys: object;
}

/** @returns the expression of `two_factor` with these factors; null if there are none left */
export function keptFactors({ app, passkeys }: Kept): object {
  const secret = { $cond: [app, { $ifNull: ['$two_factor.secret', null] }, null] };
  return {
    $let: {
      vars: { secret, passkeys },
      in: {
        $cond: [
          { $and: [{ $eq: ['$$secret', null] }, { $eq: ['$$passkeys', []] }] },
          null,
          { $mergeObjects: ['$two_factor', { secret: '$$secret', passkeys: '$$passkeys' }] },
        ],
      },
    },
  };
}

/**
 * The one rule for those who recover an account by mail: a factor that was added at this time or later may be a thief's.
 * @returns the expression of `two_factor` without such factors; null if there are none left
 */
export function factorsFromBefore(time: Date): object {
  const added = { $ifNull: ['$two_factor.app_since', '$two_factor.since'] };
  return keptFactors({
    app: { $lt: [added, time] },
    passkeys: {
      $filter: {
        input: { $ifNull: ['$two_factor.passkeys', []] },
        as: 'each',
        cond: { $lt: ['$$each.created_at', time] },
      },
    },
  });
}
