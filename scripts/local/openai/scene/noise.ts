/** Seeded noise: the same seed gives the same picture. */
import { createHash } from 'node:crypto';

/** A smooth function of the plane, −1 to 1, with features about one unit in size. */
export type Noise = (x: number, y: number) => number;

/** Returns a new random number from 0 to 1 (exclusive) at every call. */
export type Random = () => number;

/** A 32-bit seed from text and bytes. */
export function seedOf(...parts: (string | Uint8Array)[]): number {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest().readUInt32LE(0);
}

/** A small pseudo-random number generator (a 32-bit state advanced by the golden ratio, then mixed). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    return mix(state) / 4294967296;
  };
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** A reproducible random number, 0–1, for integer coordinates. */
export function hashAt(seed: number, x: number, y: number): number {
  return mix((seed ^ Math.imul(x | 0, 0x27d4eb2d) ^ Math.imul(y | 0, 0x165667b1)) >>> 0) / 4294967296;
}

const tableSize = 256;

/** Value noise: random values on a grid, interpolated smoothly. It repeats after 256 units. */
export function createNoise(seed: number): Noise {
  const random = createRandom(seed);
  const values = Float32Array.from({ length: tableSize * tableSize }, () => random() * 2 - 1);
  return (x, y) => {
    const cellX = Math.floor(x);
    const cellY = Math.floor(y);
    const fx = x - cellX;
    const fy = y - cellY;
    const sx = fx * fx * (3 - 2 * fx);
    const sy = fy * fy * (3 - 2 * fy);
    const left = cellX & 255;
    const right = (cellX + 1) & 255;
    const upper = (cellY & 255) << 8;
    const lower = ((cellY + 1) & 255) << 8;
    const top = values[upper + left]! + (values[upper + right]! - values[upper + left]!) * sx;
    const bottom = values[lower + left]! + (values[lower + right]! - values[lower + left]!) * sx;
    return top + (bottom - top) * sy;
  };
}

/** Adds up several octaves of noise, each half as large and half as strong; about −1 to 1. */
export function layered(noise: Noise, x: number, y: number, octaves: number): number {
  let sum = 0;
  let amplitude = 0.5;
  let scale = 1;
  for (let octave = 0; octave < octaves; octave += 1) {
    sum += noise(x * scale + octave * 17.3, y * scale + octave * 9.1) * amplitude;
    amplitude *= 0.5;
    scale *= 2.03;
  }
  return sum;
}
