/** Even surfaces: painted or seamless paper, brushed metal, glass. */
import { createNoise, layered } from '../noise.ts';
import type { Material } from './surface.ts';

/** One uniform, matt colour. */
export const plain: Material = (colour) => (_u, _v, _footprint, point) => {
  point.red = colour[0];
  point.green = colour[1];
  point.blue = colour[2];
  point.relief = 0;
  point.gloss = 0.1;
};

/** Brushed metal: fine horizontal scratches. */
export const metal: Material = (colour, seed) => {
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
export const glass: Material = (colour) => (_u, _v, _footprint, point) => {
  point.red = colour[0];
  point.green = colour[1];
  point.blue = colour[2];
  point.relief = 0;
  point.gloss = 0.9;
};
