/** Outdoor ground: sand, snow, grass, water. */
import { createNoise, hashAt, layered } from '../noise.ts';
import type { Material } from './surface.ts';

/** Sand with wind ripples and single bright and dark grains. */
export const sand: Material = (colour, seed) => {
  const noise = createNoise(seed);
  return (u, v, footprint, point) => {
    const fine = Math.max(0, 1 - footprint / 0.008);
    const bend = layered(noise, u * 0.9, v * 0.9, 3);
    const ripple = Math.sin((v * 1.15 + u * 0.28 + bend * 0.7) * 23) * (0.55 + bend * 0.6);
    const grain = hashAt(seed, Math.floor(u * 330), Math.floor(v * 330)) - 0.5;
    const value = 1 + bend * 0.12 + ripple * 0.05 + grain * 0.34 * fine;
    point.red = colour[0] * value;
    point.green = colour[1] * value;
    point.blue = colour[2] * value;
    point.relief =
      ripple * 0.0085 * Math.max(0, 1 - footprint / 0.09) +
      layered(noise, u * 3, v * 3, 3) * 0.03 +
      grain * 0.0008 * fine;
    point.gloss = 0.02;
  };
};

/** Snow: soft mounds, blue hollows, glittering crystals. */
export const snow: Material = (colour, seed) => {
  const noise = createNoise(seed);
  return (u, v, footprint, point) => {
    const fine = Math.max(0, 1 - footprint / 0.01);
    const mound = layered(noise, u * 1.3, v * 1.3, 4);
    const crystal = hashAt(seed, Math.floor(u * 260), Math.floor(v * 260));
    const glitter = crystal > 0.992 ? 0.3 * fine : 0;
    const value = 1 + mound * 0.06 + (crystal - 0.5) * 0.05 * fine + glitter;
    point.red = colour[0] * value * (0.985 + mound * 0.05);
    point.green = colour[1] * value;
    point.blue = colour[2] * value * (1.015 - mound * 0.04);
    point.relief = mound * 0.1 + layered(noise, u * 26, v * 26, 2) * 0.003 * fine;
    point.gloss = 0.04;
  };
};

/** A lawn: tufts and blades in many greens, drawn as noise stretched towards the viewer. */
export const grass: Material = (colour, seed) => {
  const noise = createNoise(seed);
  const blades = createNoise(seed + 1);
  return (u, v, footprint, point) => {
    const fine = Math.max(0, 1 - footprint / 0.014);
    const lean = noise(u * 5, v * 5) * 0.05;
    const blade = blades((u + lean) * 120, v * 22) * 0.6 + blades((u - lean) * 210 + 31, v * 40) * 0.4;
    const tuft = layered(noise, u * 5.5, v * 5.5, 3);
    const value = 0.86 + tuft * 0.5 + blade * (0.2 + 0.5 * fine);
    const yellow = Math.max(0, blade * 0.5 + tuft * 0.5);
    point.red = colour[0] * Math.max(0.1, value) * (1 + yellow * 0.75);
    point.green = colour[1] * Math.max(0.12, value);
    point.blue = colour[2] * Math.max(0.1, value) * (1 - yellow * 0.25);
    point.relief = tuft * 0.03 + blade * 0.006 * fine;
    point.gloss = 0.03;
  };
};

/** Calm water: a mirror with low waves. */
export const water: Material = (colour, seed) => {
  const noise = createNoise(seed);
  return (u, v, _footprint, point) => {
    const swell = layered(noise, u * 1.6, v * 3.4, 3);
    const ring = layered(noise, u * 5 + swell, v * 9, 2);
    const depth = layered(noise, u * 0.6 + 30, v * 0.6, 2);
    const value = 1 + depth * 0.3 + ring * 0.12;
    point.red = colour[0] * value;
    point.green = colour[1] * value;
    point.blue = colour[2] * value;
    point.relief = swell * 0.03 + ring * 0.007;
    point.gloss = 0.72;
  };
};
