/**
 * The light of a place: spherical harmonics of order 2, which approximate the light on a matt surface to within a few
 * per cent, and the side from which it comes.
 */
import { type Colour, luminance } from '../colour.ts';
import type { Panorama } from './panorama.ts';

/** Directions are relative to the camera: x to the right, y up, z towards the viewer. */
export interface EnvironmentLight {
  /** Nine coefficients each for red, green and blue; a surface facing the viewer receives about 1. */
  coefficients: Float32Array;
  /** The side from which more light comes: −1 left, 1 right. What the camera sees has the most weight. */
  brighterSide: -1 | 1;
  /** The share of light from small bright sources such as the sun, 0–1. */
  directShare: number;
  /** The colour of the light, with luminance 1. */
  colour: Colour;
}

/** A pixel brighter than this multiple of the sphere's mean belongs to a light source. */
const sourceLuminance = 12;
/** Light sources are capped at this luminance, so that direct sun does not outweigh the sky. */
const cappedLuminance = 120;

/**
 * Measures the light of a panorama for a camera direction.
 * @param yaw in radians, to the right of the panorama's centre
 * @param mirrored swaps left and right
 */
export function measureLight(panorama: Panorama, yaw: number, mirrored: boolean): EnvironmentLight {
  const { width, height, data } = panorama;
  const coefficients = new Float32Array(27);
  let balance = 0;
  const basis = new Float32Array(9);
  let total = 0;
  let direct = 0;
  // Half the resolution is enough for something that varies this slowly.
  for (let row = 0; row < height; row += 2) {
    const elevation = (0.5 - (row + 0.5) / height) * Math.PI;
    const solidAngle = Math.cos(elevation);
    for (let column = 0; column < width; column += 2) {
      const at = (row * width + column) * 3;
      const value = luminance([data[at]!, data[at + 1]!, data[at + 2]!]);
      const weight = solidAngle * Math.min(1, cappedLuminance / Math.max(1e-6, value));
      const azimuth = ((column + 0.5) / width - 0.5) * 2 * Math.PI - yaw;
      const x = Math.sin(azimuth) * Math.cos(elevation) * (mirrored ? -1 : 1);
      const y = Math.sin(elevation);
      const z = -Math.cos(azimuth) * Math.cos(elevation);
      evaluateBasis(x, y, z, basis);
      for (let band = 0; band < 9; band += 1) {
        for (let channel = 0; channel < 3; channel += 1) {
          const index = band * 3 + channel;
          coefficients[index] = coefficients[index]! + basis[band]! * data[at + channel]! * weight;
        }
      }
      const energy = value * weight;
      total += energy;
      if (value > sourceLuminance) direct += energy;
      // In front of the camera and not above it: a window in the picture must match the direction of the light.
      if (z < 0 && Math.abs(x) < -z && y < 0.7) balance += Math.sign(x) * energy * 4;
      balance += x * energy;
    }
  }
  const front: [number, number, number] = [0, 0, 0];
  irradianceAt(coefficients, 0, 0.35, 0.94, front);
  const norm = Math.max(1e-6, luminance(front));
  for (let index = 0; index < 27; index += 1) coefficients[index] = coefficients[index]! / norm;
  return {
    coefficients,
    brighterSide: balance < 0 ? -1 : 1,
    directShare: total === 0 ? 0 : direct / total,
    colour: [front[0] / norm, front[1] / norm, front[2] / norm],
  };
}

/**
 * The light that a matt surface receives.
 * @param x, y, z the direction that the surface faces, of length 1
 * @param target receives red, green and blue
 */
export function irradianceAt(
  coefficients: Float32Array,
  x: number,
  y: number,
  z: number,
  target: Float32Array | [number, number, number],
): void {
  evaluateBasis(x, y, z, scratch);
  for (let channel = 0; channel < 3; channel += 1) {
    let sum = 0;
    for (let band = 0; band < 9; band += 1)
      sum += coefficients[band * 3 + channel]! * scratch[band]! * cosineLobe[band]!;
    target[channel] = Math.max(0, sum);
  }
}

const scratch = new Float32Array(9);
/** The attenuation of each band for a matt surface. */
const cosineLobe = [1, 2 / 3, 2 / 3, 2 / 3, 0.25, 0.25, 0.25, 0.25, 0.25];

/** The real spherical harmonics up to order 2. */
function evaluateBasis(x: number, y: number, z: number, target: Float32Array): void {
  target[0] = 0.282095;
  target[1] = 0.488603 * y;
  target[2] = 0.488603 * z;
  target[3] = 0.488603 * x;
  target[4] = 1.092548 * x * y;
  target[5] = 1.092548 * y * z;
  target[6] = 0.315392 * (3 * z * z - 1);
  target[7] = 1.092548 * x * z;
  target[8] = 0.546274 * (x * x - y * y);
}
