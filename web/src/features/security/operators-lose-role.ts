/** Added to what is said before an operator removes a second factor (docs/decisions/0087-factors.md). */
export const operatorsLoseRole = 'You will not be an operator again until the role is granted again.';
