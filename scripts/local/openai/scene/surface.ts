/** What a material is drawn with. */
import type { Colour } from './colour.ts';
import { createNoise, type Noise } from './noise.ts';

/** The surface at one point. One object is reused for every pixel. */
export interface SurfacePoint {
  red: number;
  green: number;
  blue: number;
  /** Relief in units of the plane; only its slope matters. */
  relief: number;
  /** 0 matt to 1 a mirror. */
  gloss: number;
}

/**
 * Calculates the surface at a point of the plane. `u` points right, `v` away from the viewer; a product is about half
 * a unit wide. Detail smaller than `footprint` (the size of a pixel there) should fade out.
 */
type SurfaceSampler = (u: number, v: number, footprint: number, point: SurfacePoint) => void;

/** Creates the sampler of a material in a colour. */
export type Material = (colour: Colour, seed: number) => SurfaceSampler;

/** Sets the surface at a point. @param red factor for the material's red, as the next two for green and blue */
export function put(
  point: SurfacePoint,
  colour: Colour,
  [red, green, blue]: Colour,
  relief: number,
  gloss: number,
): void {
  point.red = colour[0] * red;
  point.green = colour[1] * green;
  point.blue = colour[2] * blue;
  point.relief = relief;
  point.gloss = gloss;
}

/** What a material with grain is drawn from. */
interface Grain {
  noise: Noise;
  /** How much of the finest detail is visible, 0–1. */
  fine: number;
  footprint: number;
  seed: number;
}

/** A material with grain. @param finest the footprint at which its finest detail has faded out */
export function grained(
  finest: number,
  draw: (grain: Grain, u: number, v: number, colour: Colour, point: SurfacePoint) => void,
): Material {
  return (colour, seed) => {
    const noise = createNoise(seed);
    return (u, v, footprint, point) => {
      const fine = Math.max(0, 1 - footprint / finest);
      draw({ noise, fine, footprint, seed }, u, v, colour, point);
    };
  };
}
