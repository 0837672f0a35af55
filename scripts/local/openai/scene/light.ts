/** The light of a scene: one main light from the side, and ambient light. */
import { blend, type Colour, luminance, multiply } from './colour.ts';
import type { SceneDescription } from './description/describe.ts';
import { isSeamless } from './description/places.ts';
import { type EnvironmentLight, irradianceAt } from './environment/lighting.ts';
import type { Take } from './take.ts';

/** The light for shading, shadows and colour matching. */
export interface SceneLight {
  /** Direction to the main light: right, up, away from the viewer; of length 1. */
  direction: readonly [number, number, number];
  /** Multiplies the colour of lit surfaces. */
  colour: Colour;
  /** The colours of main light and ambient light; mixed they give `colour`. */
  key: Colour;
  around: Colour;
  /** The colour that the description alone asks for, without the place's own; multiplies the backdrop's view. */
  tint: Colour;
  /** The colour of shadows, which receive only ambient light. */
  shade: Colour;
  /** 0 overcast to 1 direct sun. */
  hardness: number;
  /** Linear factor for the whole picture. */
  exposure: number;
  dappled: boolean;
  /** Whether the place is shown mirrored. */
  mirrored: boolean;
  /**
   * The light on a surface that faces a direction (right, up, towards the viewer); luminance is about 1 when it faces
   * the viewer.
   */
  receivedAt(x: number, y: number, z: number, target: [number, number, number]): void;
}

/** How much of a place's colour reaches product and surface; a camera's white balance removes most of it. */
const placeColourShare = 0.24;

/** How much of a described warmth the picture shows: as of a place's colour, the white balance removes the rest. */
const warmthShare = 0.6;

/** Derives the light from a description and its place. */
export function createLight(
  description: SceneDescription,
  environment: EnvironmentLight,
  take: Pick<Take, 'mirrored' | 'lightSide' | 'lightAcross' | 'lightUp' | 'hardness'>,
): SceneLight {
  const { exposure, lowSun, dappled } = description.light;
  const warmth = description.light.warmth * warmthShare;
  const isStudio = isSeamless(description.backdrop.kind);
  const placeShare = isStudio ? 0 : placeColourShare;
  const hardest = description.light.hardness + (isStudio ? 0 : environment.directShare * 0.5);
  const hardness = Math.min(1, Math.max(0, hardest + take.hardness));
  const side = take.lightSide ?? environment.brighterSide;
  const across = side * (0.62 + lowSun * 0.25) * take.lightAcross;
  const up = (0.85 - lowSun * 0.4) * take.lightUp;
  const deep = 0.3;
  const length = Math.hypot(across, up, deep);
  const direction = [across / length, up / length, deep / length] as const;
  const tint = tintOf(warmth);
  const place = evenlyBright(blend([1, 1, 1], environment.colour, placeShare));
  // The main light is warmer than the sky around it, especially when it is low.
  const contrast = isStudio ? 0 : 0.15 + lowSun * 0.35;
  const key = multiply(tintOf(Math.min(1, warmth + contrast * Math.abs(warmth))), place);
  const around = multiply(tintOf(warmth - contrast * (0.4 + Math.abs(warmth))), place);
  const directness = isStudio ? 0.3 : 0.35 + 0.35 * hardness;
  return {
    direction,
    colour: [tint[0] * place[0], tint[1] * place[1], tint[2] * place[2]],
    key,
    around,
    tint,
    // Open shade is lit by the sky, so it is slightly cooler than the light.
    shade: tintOf(warmth * 0.35 - 0.16),
    hardness,
    exposure: 2 ** exposure,
    dappled,
    mirrored: take.mirrored,
    receivedAt(x, y, z, target) {
      irradianceAt(environment.coefficients, x, y, z, target);
      const grey = luminance(target);
      const facing = Math.max(0, x * direction[0] + y * direction[1] + z * 0.55) / 0.62;
      for (let channel = 0; channel < 3; channel += 1) {
        const fromAround = grey + (target[channel]! - grey) * placeShare;
        target[channel] =
          fromAround * around[channel]! * (1 - directness) + facing * key[channel]! * directness;
      }
    },
  };
}

/** The colour of light from cold (−1) to warm (1), of equal brightness. */
export function tintOf(warmth: number): Colour {
  return warmth >= 0
    ? [1 + 0.2 * warmth, 1 - 0.04 * warmth, 1 - 0.42 * warmth]
    : [1 + 0.17 * warmth, 1 + 0.02 * warmth, 1 - 0.17 * warmth];
}

function evenlyBright(colour: Colour): Colour {
  const grey = luminance(colour);
  return [colour[0] / grey, colour[1] / grey, colour[2] / grey];
}
