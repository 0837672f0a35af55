/** The words for light, time of day and mood. */

/** How a mood changes the light; the numbers of all words found are added up. */
export interface MoodChange {
  /** Warmer (towards 1) or cooler (towards −1) light. */
  warmth?: number;
  /** More or less light, in stops. */
  exposure?: number;
  /** Harder (towards 1) or softer (towards −1) shadows. */
  hardness?: number;
  /** A darker backdrop, in stops. */
  backdropExposure?: number;
  /** More or less saturated. */
  saturation?: number;
  /** A lower sun, towards 1. */
  lowSun?: number;
  /** Blurred points of light in the background, 0–1. */
  lights?: number;
}

/** Mood words and their effects. */
export const moodWords: Readonly<Record<string, MoodChange>> = {
  warm: { warmth: 0.45 },
  warmer: { warmth: 0.4 },
  cooler: { warmth: -0.4 },
  colder: { warmth: -0.4 },
  darker: { exposure: -0.4, backdropExposure: -0.6 },
  brighter: { exposure: 0.3, backdropExposure: 0.3 },
  lighter: { exposure: 0.3, backdropExposure: 0.3 },
  softer: { hardness: -0.4 },
  harder: { hardness: 0.5 },
  sunnier: { warmth: 0.25, hardness: 0.5, exposure: 0.15 },
  moodier: { exposure: -0.3, backdropExposure: -0.9, hardness: 0.2 },
  cosy: { warmth: 0.5, exposure: -0.15, lights: 0.5 },
  cozy: { warmth: 0.5, exposure: -0.15, lights: 0.5 },
  cool: { warmth: -0.4 },
  cold: { warmth: -0.5 },
  fresh: { warmth: -0.12, exposure: 0.15 },
  dark: { exposure: -0.35, backdropExposure: -1.3, hardness: 0.2 },
  moody: { exposure: -0.4, backdropExposure: -1.4, hardness: 0.3 },
  dramatic: { exposure: -0.25, backdropExposure: -1.4, hardness: 0.5 },
  bright: { exposure: 0.25 },
  airy: { exposure: 0.25, hardness: -0.4 },
  soft: { hardness: -0.5 },
  gentle: { hardness: -0.4 },
  diffused: { hardness: -0.5 },
  harsh: { hardness: 0.6 },
  sunny: { warmth: 0.25, hardness: 0.5, exposure: 0.15 },
  sunlight: { warmth: 0.25, hardness: 0.5 },
  sunlit: { warmth: 0.25, hardness: 0.5 },
  golden: { warmth: 0.75, lowSun: 0.7, hardness: 0.2 },
  sunset: { warmth: 0.8, lowSun: 0.9, exposure: -0.35, hardness: 0.2 },
  sunrise: { warmth: 0.55, lowSun: 0.8 },
  dusk: { warmth: 0.2, lowSun: 0.7, exposure: -0.4 },
  morning: { warmth: 0.25, lowSun: 0.4, exposure: 0.05 },
  evening: { warmth: 0.5, lowSun: 0.6, exposure: -0.25 },
  night: { warmth: -0.25, exposure: -0.6, backdropExposure: -1.2, lights: 0.9 },
  midnight: { warmth: -0.3, exposure: -0.7, backdropExposure: -1.6, lights: 0.6 },
  neon: { exposure: -0.35, backdropExposure: -0.8, lights: 1 },
  luxury: { exposure: -0.12, backdropExposure: -0.8, hardness: 0.2 },
  luxurious: { exposure: -0.12, backdropExposure: -0.8, hardness: 0.2 },
  elegant: { exposure: -0.05, hardness: -0.1 },
  premium: { backdropExposure: -0.6 },
  minimal: { hardness: -0.3 },
  minimalist: { hardness: -0.3 },
  clean: { hardness: -0.2 },
  festive: { warmth: 0.35, lights: 1 },
  christmas: { warmth: 0.35, lights: 1 },
  holiday: { warmth: 0.3, lights: 0.9 },
  party: { lights: 1 },
  candlelight: { warmth: 0.8, exposure: -0.4, lights: 0.7 },
  romantic: { warmth: 0.35, lights: 0.6 },
  pastel: { saturation: -0.08, exposure: 0.12, hardness: -0.2 },
  vintage: { warmth: 0.4, saturation: -0.22 },
  retro: { warmth: 0.35, saturation: -0.1 },
  autumn: { warmth: 0.5, lowSun: 0.3 },
  summer: { warmth: 0.2, exposure: 0.12, hardness: 0.3 },
  spring: { exposure: 0.1, warmth: 0.05 },
  winter: { warmth: -0.25, exposure: 0.05 },
};
