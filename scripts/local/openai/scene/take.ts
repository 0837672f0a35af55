/** What differs between several pictures of the same products and the same description. */
import type { RenderJob } from '../renderer.ts';
import { createRandom } from './noise.ts';

/** One of the pictures that a photographer would take of a scene. */
export interface Take {
  /** Decides textures, scattered lights and grain. */
  seed: number;
  /** Whether the place is shown mirrored, and with it the light. */
  mirrored: boolean;
  /** How far the products stand to the right of their place, as a share of the picture's width. */
  shift: number;
  /** Factor for the size of the products. */
  size: number;
  /** Added to the sine of the camera's pitch. */
  pitch: number;
  /** Turns the camera to the right, in degrees; the light turns with the place. */
  turn: number;
  /** The side from which the main light comes, −1 left or 1 right. Undefined: the place's brighter side. */
  lightSide?: -1 | 1 | undefined;
  /** Factors for the direction of the main light: how far from the side it comes, and from how high. */
  lightAcross: number;
  lightUp: number;
  /** Added to the hardness of the light. */
  hardness: number;
}

/**
 * The take of an image: by its seed, or else by its number within the request.
 * @param seed of textures
 */
export function takeOf(seed: number, { seed: asked, variant }: Pick<RenderJob, 'seed' | 'variant'>): Take {
  return asked === undefined ? takeOfVariant(seed, variant) : takeOfSeed(seed, asked + variant);
}

function takeOfVariant(seed: number, variant: number): Take {
  return {
    seed,
    mirrored: variant % 2 === 1,
    shift: variant === 0 ? 0 : ((variant % 3) - 1) * 0.02,
    size: 1,
    pitch: 0,
    turn: 0,
    lightAcross: 1,
    lightUp: 1,
    hardness: 0,
  };
}

/** Four ways to frame a scene. A set of images has consecutive seeds, so each of its takes gets another one. */
const framings = [
  { shift: 0, size: 1, pitch: 0, lightAcross: 1, lightUp: 1 },
  { shift: 0.06, size: 0.88, pitch: 0.03, lightAcross: 1.3, lightUp: 0.72 },
  { shift: -0.07, size: 0.94, pitch: 0.06, lightAcross: 0.6, lightUp: 1.25 },
  { shift: 0.02, size: 1.08, pitch: 0, lightAcross: 1.45, lightUp: 0.9 },
] as const;

function takeOfSeed(seed: number, asked: number): Take {
  const random = createRandom(asked);
  const around = (middle: number, most: number) => middle + (random() * 2 - 1) * most;
  const framing = framings[asked % framings.length]!;
  return {
    seed,
    mirrored: asked % 2 === 1,
    shift: around(framing.shift, 0.015),
    size: around(framing.size, 0.03),
    pitch: framing.pitch,
    turn: around(0, 9),
    lightAcross: around(framing.lightAcross, 0.12),
    lightUp: around(framing.lightUp, 0.08),
    hardness: around(0, 0.12),
  };
}
