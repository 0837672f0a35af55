/** Soft materials: linen, velvet, leather, paper. */
import { createNoise, layered, type Noise } from '../noise.ts';
import type { Material } from './surface.ts';

/** Long soft folds, as in cloth that was laid out by hand. */
function folds(noise: Noise, u: number, v: number): number {
  const bend = layered(noise, u * 0.7, v * 0.7, 2);
  const run = u * 0.8 + v * 1.2 + bend * 1.6;
  const ridge = 1 - Math.abs(noise(run * 1.4 + 20, (v - u) * 0.45 + bend));
  // Rounded at the top: a fold of cloth has no crease.
  const rounded = 1 - Math.sqrt((1 - ridge) ** 2 + 0.02);
  return Math.max(0, rounded) ** 2 * 0.06 + layered(noise, u * 1.1 + 60, v * 1.1, 2) * 0.06;
}

/** Woven linen: uneven threads over and under each other, with folds. */
export const linen: Material = (colour, seed) => {
  const noise = createNoise(seed);
  const threads = 150;
  return (u, v, footprint, point) => {
    const fine = Math.max(0, 1 - footprint / 0.0075);
    const x = u * threads + noise(v * 9, u * 2) * 0.8;
    const y = v * threads + noise(u * 9, v * 2 + 40) * 0.8;
    const warp = Math.sin(x * Math.PI);
    const weft = Math.sin(y * Math.PI);
    const slub = noise(Math.floor(x) * 7.3, v * 5) * 0.5 + noise(u * 5, Math.floor(y) * 7.3) * 0.5;
    const over = warp * warp * weft * weft;
    const value =
      1 +
      slub * 0.16 * (0.35 + 0.65 * fine) +
      (over - 0.25) * 0.3 * fine +
      layered(noise, u * 2, v * 2, 3) * 0.06;
    point.red = colour[0] * value;
    point.green = colour[1] * value;
    point.blue = colour[2] * value;
    point.relief = folds(noise, u, v) + over * 0.0012 * fine;
    point.gloss = 0;
  };
};

/** Velvet: a deep colour, with folds that shine along their sides. */
export const velvet: Material = (colour, seed) => {
  const noise = createNoise(seed);
  return (u, v, footprint, point) => {
    const fine = Math.max(0, 1 - footprint / 0.01);
    const relief = folds(noise, u * 0.9, v * 0.9) * 1.7;
    const slope = folds(noise, u * 0.9 + 0.03, v * 0.9) * 1.7 - relief;
    const brushed = layered(noise, u * 5, v * 3, 3) * 0.22;
    const value = 0.45 + Math.min(1.3, Math.abs(slope) * 34) + brushed + noise(u * 220, v * 220) * 0.1 * fine;
    point.red = colour[0] * value;
    point.green = colour[1] * value;
    point.blue = colour[2] * value;
    point.relief = relief;
    point.gloss = 0;
  };
};

/** Grained leather. */
export const leather: Material = (colour, seed) => {
  const noise = createNoise(seed);
  return (u, v, footprint, point) => {
    const fine = Math.max(0, 1 - footprint / 0.012);
    const grain = Math.abs(noise(u * 62, v * 62)) + Math.abs(noise(u * 90 + 9, v * 90)) * 0.6;
    const patina = layered(noise, u * 1.8, v * 1.8, 4);
    const value = 1 + patina * 0.24 - (0.5 - Math.min(0.5, grain)) * 0.4 * fine;
    point.red = colour[0] * value;
    point.green = colour[1] * value;
    point.blue = colour[2] * value;
    point.relief = grain * 0.0035 * fine + patina * 0.01;
    point.gloss = 0.22;
  };
};

/** Paper or card: nearly uniform, with very faint fibres. */
export const paper: Material = (colour, seed) => {
  const noise = createNoise(seed);
  return (u, v, footprint, point) => {
    const fine = Math.max(0, 1 - footprint / 0.008);
    const value = 1 + layered(noise, u * 90, v * 90, 2) * 0.045 * fine + layered(noise, u, v, 2) * 0.02;
    point.red = colour[0] * value;
    point.green = colour[1] * value;
    point.blue = colour[2] * value;
    point.relief = 0;
    point.gloss = 0.02;
  };
};
