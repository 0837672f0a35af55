/** What every surface material gives, and the materials there are. */
import type { Colour } from '../colour.ts';
import { grass, sand, snow, water } from './ground.ts';
import { glass, metal, plain } from './smooth.ts';
import { concrete, marble, slate, terrazzo, tiles } from './stone.ts';
import { leather, linen, paper, velvet } from './textile.ts';
import { wood } from './wood.ts';

/** What a surface is like at one point. One object is reused for every pixel. */
export interface SurfacePoint {
  red: number;
  green: number;
  blue: number;
  /** Relief in units of the plane; only its slope counts. */
  relief: number;
  /** 0 dull to 1 a mirror. */
  gloss: number;
}

/**
 * Fills in the surface at a point of the plane. `u` runs to the right, `v` away from the viewer; a product is
 * about half a unit wide. Detail smaller than `footprint` (a pixel's size there) should fade out.
 */
export type SurfaceSampler = (u: number, v: number, footprint: number, point: SurfacePoint) => void;

/** Makes a material's sampler in a colour. */
export type Material = (colour: Colour, seed: number) => SurfaceSampler;

/** Every material by name. */
export const materials = {
  wood,
  marble,
  concrete,
  slate,
  terrazzo,
  tiles,
  linen,
  velvet,
  leather,
  paper,
  sand,
  snow,
  grass,
  water,
  metal,
  glass,
  plain,
} satisfies Record<string, Material>;

/** The name of a material. */
export type MaterialName = keyof typeof materials;
