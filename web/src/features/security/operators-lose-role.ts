/** Added to what is said before an operator removes a second factor (docs/decisions/0087-factors.md). */
export const operatorsLoseRole =
  'Your role as an operator is suspended until it is granted again with `npm run operator`.';
