/** The light of a scene: one main light from the upper left, and the brightness all around. */
import type { Colour } from './colour.ts';
import type { SceneDescription } from './describe.ts';

/** Everything that shading, shadows and matching need of the light. */
export interface SceneLight {
  /** Towards the light: right, up, away from the viewer; of length 1. */
  direction: readonly [number, number, number];
  /** Multiplies what it falls on. */
  colour: Colour;
  /** The colour of shadows, where only the surroundings light. */
  shade: Colour;
  /** 0 overcast to 1 bare sun. */
  hardness: number;
  /** Linear factor for the whole picture. */
  exposure: number;
  dappled: boolean;
}

/** Light from a description; `side` is −1 for the left and 1 for the right. */
export function createLight(description: SceneDescription, side: -1 | 1): SceneLight {
  const { warmth, exposure, hardness, lowSun, dappled } = description.light;
  const across = side * (0.62 + lowSun * 0.25);
  const up = 0.85 - lowSun * 0.4;
  const deep = 0.3;
  const length = Math.hypot(across, up, deep);
  return {
    direction: [across / length, up / length, deep / length],
    colour: tintOf(warmth),
    // Open shade is lit by the sky: a little cooler than the light.
    shade: tintOf(warmth * 0.35 - 0.16),
    hardness,
    exposure: 2 ** exposure,
    dappled,
  };
}

/** The colour of light between cold (−1) and warm (1), of even brightness. */
export function tintOf(warmth: number): Colour {
  return warmth >= 0
    ? [1 + 0.16 * warmth, 1 - 0.02 * warmth, 1 - 0.34 * warmth]
    : [1 + 0.17 * warmth, 1 + 0.02 * warmth, 1 - 0.17 * warmth];
}
