/** All materials of surfaces, and the even ones: painted or seamless paper, brushed metal, glass. */
import { createNoise, layered } from '../noise.ts';
import { grass, sand, snow, water } from './ground.ts';
import { concrete, marble, slate, terrazzo, tiles } from './stone.ts';
import type { Material } from './surface.ts';
import { leather, linen, paper, velvet } from './textile.ts';
import { wood } from './wood.ts';

/** One uniform, matt colour. */
const plain: Material = (colour) => (_u, _v, _footprint, point) => {
  point.red = colour[0];
  point.green = colour[1];
  point.blue = colour[2];
  point.relief = 0;
  point.gloss = 0.1;
};

/** Brushed metal: fine horizontal scratches. */
const metal: Material = (colour, seed) => {
  const noise = createNoise(seed);
  return (u, v, footprint, point) => {
    const fine = Math.max(0, 1 - footprint / 0.01);
    const scratch = noise(u * 2.6, v * 260) * 0.6 + noise(u * 7, v * 420 + 90) * 0.4;
    const sheen = layered(noise, u * 0.4, v * 2.5, 3);
    const value = 1 + scratch * 0.16 * fine + sheen * 0.16;
    point.red = colour[0] * value;
    point.green = colour[1] * value;
    point.blue = colour[2] * value;
    point.relief = scratch * 0.0004 * fine;
    point.gloss = 0.6;
  };
};

/** Glass, acrylic or a mirror: a faint colour of its own and a strong reflection. */
const glass: Material = (colour) => (_u, _v, _footprint, point) => {
  point.red = colour[0];
  point.green = colour[1];
  point.blue = colour[2];
  point.relief = 0;
  point.gloss = 0.9;
};

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
