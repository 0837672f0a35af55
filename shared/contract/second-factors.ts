/** What an account can have besides its password, apart from recovery codes. */
export const secondFactors = ['app', 'passkey'] as const;
export type SecondFactor = (typeof secondFactors)[number];
