/** The default of `FREE_IMAGES`; apart from the other facts, which only the build needs. `web/build/facts.test.ts` compares it. */
export const usualFreeImages = 3;
