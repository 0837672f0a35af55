/** The light and mood of a description. */
import { byWord, colourModifiers, colourWords, surfaceWords } from './vocabulary.ts';

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

/** How a mood changes the light; the numbers of all words found are added up. */
export type MoodChange = Partial<MoodLight & Pick<Mood, 'lights' | 'saturation'>>;

/** Mood words and their effects. */
const moodWords: ReadonlyMap<string, MoodChange> = byWord<MoodChange>([
  ['warm', { warmth: 0.45 }],
  ['warmer', { warmth: 0.7 }],
  ['cool cooler cold colder', { warmth: -0.4 }],
  ['fresh', { warmth: -0.12, exposure: 0.15 }],
  ['dark', { exposure: -0.35, backdropExposure: -1.3, hardness: 0.2 }],
  ['darker', { exposure: -0.4, backdropExposure: -0.6 }],
  ['moody moodier', { exposure: -0.4, backdropExposure: -1.4, hardness: 0.3 }],
  ['dramatic', { exposure: -0.25, backdropExposure: -1.4, hardness: 0.5 }],
  ['bright', { exposure: 0.25 }],
  ['brighter lighter', { exposure: 0.3, backdropExposure: 0.3 }],
  ['airy', { exposure: 0.25, hardness: -0.4 }],
  ['soft softer gentle diffused', { hardness: -0.45 }],
  ['harsh harder', { hardness: 0.55 }],
  ['sunny sunnier', { warmth: 0.25, hardness: 0.5, exposure: 0.15 }],
  ['sunlight sunlit', { warmth: 0.25, hardness: 0.5 }],
  ['golden', { warmth: 0.75, lowSun: 0.7, hardness: 0.2 }],
  ['sunset', { warmth: 0.8, lowSun: 0.9, exposure: -0.35, hardness: 0.2 }],
  ['sunrise', { warmth: 0.55, lowSun: 0.8 }],
  ['dusk', { warmth: 0.2, lowSun: 0.7, exposure: -0.4 }],
  ['morning', { warmth: 0.25, lowSun: 0.4, exposure: 0.05 }],
  ['evening', { warmth: 0.5, lowSun: 0.6, exposure: -0.25 }],
  ['night midnight', { warmth: -0.25, exposure: -0.6, backdropExposure: -1.2, lights: 0.9 }],
  ['neon', { exposure: -0.35, backdropExposure: -0.8, lights: 1 }],
  ['luxury luxurious', { exposure: -0.12, backdropExposure: -0.8, hardness: 0.2 }],
  ['elegant', { exposure: -0.05, hardness: -0.1 }],
  ['premium', { backdropExposure: -0.6 }],
  ['minimal minimalist clean', { hardness: -0.25 }],
  ['festive christmas holiday party', { warmth: 0.35, lights: 1 }],
  ['cosy cozy', { warmth: 0.5, exposure: -0.15, lights: 0.5 }],
  ['candlelight', { warmth: 0.8, exposure: -0.4, lights: 0.7 }],
  ['romantic', { warmth: 0.35, lights: 0.6 }],
  ['pastel', { saturation: -0.08, exposure: 0.12, hardness: -0.2 }],
  ['vintage retro', { warmth: 0.4, saturation: -0.18 }],
  ['autumn', { warmth: 0.5, lowSun: 0.3 }],
  ['summer', { warmth: 0.2, exposure: 0.12, hardness: 0.3 }],
  ['spring', { exposure: 0.1, warmth: 0.05 }],
  ['winter', { warmth: -0.25, exposure: 0.05 }],
]);

const usual = { warmth: 0, exposure: 0, backdropExposure: 0, hardness: 0.4, lowSun: 0.2, saturation: 0 };
/** The least and the largest value of each. */
const limits: Readonly<Record<keyof typeof usual, readonly [number, number]>> = {
  warmth: [-1, 1],
  exposure: [-0.9, 0.4],
  backdropExposure: [-2.2, 0.5],
  hardness: [0, 1],
  lowSun: [0, 1],
  saturation: [-0.6, 0.3],
};

/** Sums up the effects of the mood words. @param style is added to them */
export function moodOf(words: readonly string[], style: MoodChange = {}): Mood {
  // "dark green" and "dark marble" are colours, not moods.
  const isOfColour = (word: string, next = '') =>
    colourModifiers.has(word) && (colourWords.has(next) || surfaceWords.has(next));
  const named = new Set(words.filter((word, at) => moodWords.has(word) && !isOfColour(word, words[at + 1])));
  const changes = [style, ...[...named].map((word) => moodWords.get(word)!)];
  const sum = (name: keyof typeof usual) => {
    const total = changes.reduce((before, change) => before + (change[name] ?? 0), usual[name]);
    return Math.min(limits[name][1], Math.max(limits[name][0], total));
  };
  return {
    light: {
      warmth: sum('warmth'),
      exposure: sum('exposure'),
      backdropExposure: sum('backdropExposure'),
      hardness: sum('hardness'),
      lowSun: sum('lowSun'),
    },
    lights: Math.max(...changes.map((change) => change.lights ?? 0)),
    saturation: sum('saturation'),
  };
}
