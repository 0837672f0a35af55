/** Stone and similar materials: marble, concrete, slate, terrazzo, tiles. */
import { createNoise, hashAt, layered } from '../noise.ts';
import type { Material } from './surface.ts';

/** Polished marble: clouds, and veins where warped noise passes through zero. */
export const marble: Material = (colour, seed) => {
  const noise = createNoise(seed);
  const dark = colour[1] < 0.2;
  return (u, v, footprint, point) => {
    const x = u * 0.9 + 13;
    const y = v * 0.9 - 7;
    const warpX = layered(noise, x * 1.3, y * 1.3, 4) * 1.1;
    const warpY = layered(noise, x * 1.3 + 50, y * 1.3 + 50, 4) * 1.1;
    const band = Math.abs(layered(noise, x * 0.8 + y * 0.5 + warpX, y * 0.9 - x * 0.35 + warpY, 3));
    const vein =
      Math.max(0, 1 - band / (0.028 + footprint)) ** 1.5 *
      (0.35 + 0.65 * Math.max(0, noise(x * 1.7, y * 1.7) + 0.4));
    const thread = Math.abs(layered(noise, x * 2.1 + warpY * 1.7 + 80, y * 2.1 + warpX * 1.7, 3));
    const fine = Math.max(0, 1 - thread / (0.016 + footprint)) * 0.45;
    const cloud = layered(noise, x * 0.9 + warpX, y * 0.9 + 20, 4);
    const halo = Math.max(0, 1 - band / 0.22) ** 2;
    const veining = vein * 0.62 + fine * 0.4 + halo * 0.16;
    const value = dark ? 1 + cloud * 0.5 + veining * 9 : 1 + cloud * 0.09 - veining * 0.8;
    point.red = colour[0] * value;
    point.green = colour[1] * value * (dark ? 1 : 1.0 + veining * 0.02);
    point.blue = colour[2] * value * (dark ? 0.96 : 1 + veining * 0.06);
    point.relief = 0;
    point.gloss = 0.5;
  };
};

/** Cast concrete: stains, fine grain, a few open pores. */
export const concrete: Material = (colour, seed) => {
  const noise = createNoise(seed);
  return (u, v, footprint, point) => {
    const fine = Math.max(0, 1 - footprint / 0.012);
    const stain = layered(noise, u * 1.4, v * 1.4, 5);
    const grain = layered(noise, u * 60, v * 60, 2) * fine;
    const pore = Math.max(0, noise(u * 46 + 9, v * 46 + 5) - 0.8) * 5 * fine;
    const value = 1 + stain * 0.26 + grain * 0.1 - pore * 0.5;
    point.red = colour[0] * value;
    point.green = colour[1] * value;
    point.blue = colour[2] * value * (1 - stain * 0.03);
    point.relief = (grain * 0.0016 + layered(noise, u * 9, v * 9, 3) * 0.004 - pore * 0.005) * fine;
    point.gloss = 0.07 + stain * 0.03;
  };
};

/** Rough natural stone: layers, grains, pits. */
export const slate: Material = (colour, seed) => {
  const noise = createNoise(seed);
  return (u, v, footprint, point) => {
    const fine = Math.max(0, 1 - footprint / 0.014);
    const ground = layered(noise, u * 2.1, v * 2.1, 5);
    const bed = layered(noise, u * 1.2 + 70, v * 5.5, 4);
    const grit = layered(noise, u * 64, v * 64, 3) * fine;
    const mineral = noise(u * 170, v * 170) * fine;
    // Small pits with a lit far rim look weathered.
    const pit = Math.max(0, noise(u * 33 + 3, v * 33 + 9) - 0.58) * fine;
    const value = 1 + ground * 0.16 + bed * 0.12 + grit * 0.2 + mineral * 0.13 - pit * 0.9;
    const warmth = layered(noise, u * 1.1 + 31, v * 1.1, 3);
    point.red = colour[0] * value * (1 + warmth * 0.12);
    point.green = colour[1] * value * (1 + warmth * 0.03);
    point.blue = colour[2] * value * (1 - warmth * 0.12);
    point.relief = ground * 0.022 + bed * 0.01 + (grit * 0.0035 - pit * 0.03) * fine;
    point.gloss = 0.1;
  };
};

/** Terrazzo: stone chips in cement, polished. */
export const terrazzo: Material = (colour, seed) => {
  const tints = [
    [0.5, 0.21, 0.13],
    [0.09, 0.12, 0.12],
    [0.62, 0.5, 0.33],
    [0.3, 0.36, 0.33],
    [0.8, 0.76, 0.7],
  ] as const;
  return (u, v, footprint, point) => {
    const density = 19;
    const x = u * density;
    const y = v * density;
    const cellX = Math.floor(x);
    const cellY = Math.floor(y);
    let nearest = 9;
    let chip = 0;
    for (let dy = -1; dy <= 1; dy += 1) {
      for (let dx = -1; dx <= 1; dx += 1) {
        const [cx, cy] = [cellX + dx, cellY + dy];
        const px = cx + hashAt(seed, cx, cy) - x;
        const py = cy + hashAt(seed + 1, cx, cy) - y;
        const turn = hashAt(seed + 2, cx, cy) * 3.14;
        const size = 0.12 + hashAt(seed + 3, cx, cy) ** 2 * 0.42;
        const a = Math.abs(px * Math.cos(turn) + py * Math.sin(turn));
        const b = Math.abs(py * Math.cos(turn) - px * Math.sin(turn)) * 1.5;
        const distance = (Math.max(a, b) * 0.7 + (a + b) * 0.3) / size;
        if (distance < nearest) {
          nearest = distance;
          chip = Math.floor(hashAt(seed + 4, cx, cy) * tints.length);
        }
      }
    }
    const soft = 0.08 + footprint * density * 2;
    const share = Math.min(1, Math.max(0, (1 - nearest) / soft));
    const tint = tints[chip]!;
    point.red = colour[0] + (tint[0] - colour[0]) * share;
    point.green = colour[1] + (tint[1] - colour[1]) * share;
    point.blue = colour[2] + (tint[2] - colour[2]) * share;
    point.relief = 0;
    point.gloss = 0.4;
  };
};

/** Glazed square tiles with grout in between. */
export const tiles: Material = (colour, seed) => {
  const noise = createNoise(seed);
  const side = 0.42;
  return (u, v, footprint, point) => {
    const cellX = Math.floor(u / side);
    const cellY = Math.floor(v / side);
    const edge = Math.min(u - cellX * side, v - cellY * side, (cellX + 1) * side - u, (cellY + 1) * side - v);
    const grout = Math.min(1, Math.max(0, (0.012 - edge) / (0.002 + footprint)));
    const value =
      (1 + (hashAt(seed, cellX, cellY) - 0.5) * 0.1 + layered(noise, u * 3, v * 3, 3) * 0.05) *
      (1 - grout * 0.42);
    point.red = colour[0] * value;
    point.green = colour[1] * value;
    point.blue = colour[2] * value;
    point.relief = Math.min(edge, 0.02) * 0.25 + noise(u * 5, v * 5) * 0.0015;
    point.gloss = 0.5 - grout * 0.45;
  };
};
