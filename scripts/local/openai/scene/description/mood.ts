/** The light and mood of a description. */
import { colourModifiers, colourWords } from './colours.ts';
import { materialWords } from './materials.ts';
import { type MoodChange, moodWords } from './moods.ts';
import type { Word } from './tokens.ts';

/** The light that the description asks for. */
export interface MoodLight {
  /** −1 cold to 1 warm. */
  warmth: number;
  /** In stops; 0 is a well-lit product photo. */
  exposure: number;
  /** Additional exposure of the backdrop only, in stops. */
  backdropExposure: number;
  /** 0 overcast to 1 direct sun. */
  hardness: number;
  /** 0 high to 1 low above the horizon. */
  lowSun: number;
}

/** The combined effect of all mood words. */
export interface Mood {
  light: MoodLight;
  /** Blurred points of light in the background, 0 or more. */
  lights: number;
  /** 0 leaves colours unchanged; −1 removes them. */
  saturation: number;
}

/** Sums up the effects of the mood words. @param style is added to them */
export function moodOf(words: Word[], style: MoodChange = {}): Mood {
  const light = {
    warmth: style.warmth ?? 0,
    exposure: style.exposure ?? 0,
    backdropExposure: style.backdropExposure ?? 0,
    hardness: 0.4 + (style.hardness ?? 0),
    lowSun: 0.2,
  };
  let lights = 0;
  let saturation = style.saturation ?? 0;
  const seen = new Set<string>();
  for (const { text, at } of words) {
    const change: MoodChange | undefined = Object.hasOwn(moodWords, text) ? moodWords[text] : undefined;
    if (change === undefined || seen.has(text)) continue;
    // "dark green" and "dark marble" are colours, not moods.
    const next = words[at + 1]?.text ?? '';
    const isColour =
      Object.hasOwn(colourModifiers, text) &&
      (Object.hasOwn(colourWords, next) || Object.hasOwn(materialWords, next));
    if (isColour) continue;
    seen.add(text);
    light.warmth += change.warmth ?? 0;
    light.exposure += change.exposure ?? 0;
    light.backdropExposure += change.backdropExposure ?? 0;
    light.hardness += change.hardness ?? 0;
    light.lowSun += change.lowSun ?? 0;
    lights = Math.max(lights, change.lights ?? 0);
    saturation += change.saturation ?? 0;
  }
  light.warmth = within(light.warmth, -1, 1);
  light.exposure = within(light.exposure, -0.9, 0.4);
  light.backdropExposure = within(light.backdropExposure, -2.2, 0.5);
  light.hardness = within(light.hardness, 0, 1);
  light.lowSun = within(light.lowSun, 0, 1);
  return { light, lights, saturation: within(saturation, -0.6, 0.3) };
}

function within(value: number, from: number, to: number): number {
  return Math.min(to, Math.max(from, value));
}
