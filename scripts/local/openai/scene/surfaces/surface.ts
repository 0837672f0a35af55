/** The interface of surface materials. */
import type { Colour } from '../colour.ts';

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
