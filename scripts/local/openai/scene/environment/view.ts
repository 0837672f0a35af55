/** A view into a panorama, drawn behind the surface and out of focus. */
import type { SoftCanvas } from '../canvas.ts';
import { luminance } from '../colour.ts';
import type { View } from '../description/places.ts';
import { type Panorama, readPanorama } from './panorama.ts';

/** Reads the place at a point of the picture, in shares of its height, scaled to the view's brightness. */
export type ViewReader = (x: number, y: number, target: Float32Array) => void;

/** The camera; see `createViewReader`. */
export interface ViewFrame {
  /** Width of the picture as a share of its height. */
  width: number;
  /** The row of the horizon as a share of the height. */
  horizon: number;
  mirrored: boolean;
  /** Only the sky is shown, compressed so that more than the strip above the horizon is visible. */
  skyOnly: boolean;
}

/** Tangent of the elevation up to which the sky is visible at least. */
const leastSky = 0.42;

/** The upper limit for the luminance at which the brightest fifth of a view begins. */
const brightestFifth = 1.2;
/** Samples in each direction for measuring the brightness of a view. */
const samples = 24;

/**
 * Creates a reader. The camera is level, so vertical lines stay vertical; its lens is shifted to place the horizon.
 */
export function createViewReader(panorama: Panorama, view: View, frame: ViewFrame): ViewReader {
  const yaw = (view.yaw * Math.PI) / 180;
  const focal = 0.5 / Math.tan((view.angle * Math.PI) / 360);
  const upFocal = frame.skyOnly ? Math.min(focal, frame.horizon / leastSky) : focal;
  const side = frame.mirrored ? -1 : 1;
  const read: ViewReader = (x, y, target) => {
    const across = ((x - frame.width / 2) / focal) * side;
    const up = (frame.horizon - y) / upFocal;
    readPanorama(panorama, yaw + Math.atan(across), Math.atan2(up, Math.hypot(1, across)), target);
  };
  const pixel = new Float32Array(3);
  const values: number[] = [];
  for (let row = 0; row < samples; row += 1) {
    for (let column = 0; column < samples; column += 1) {
      // Only the upper part is measured, because the surface hides the rest.
      const y = ((row + 0.5) / samples) * (frame.skyOnly ? frame.horizon : 0.6);
      read(((column + 0.5) / samples) * frame.width, y, pixel);
      values.push(luminance([pixel[0]!, pixel[1]!, pixel[2]!]));
    }
  }
  values.sort((first, second) => first - second);
  const median = Math.max(1e-3, values[values.length >> 1]!);
  const bright = Math.max(1e-3, values[Math.floor(values.length * 0.8)]!);
  // A view that is mostly sky must not become mostly white.
  const scale = Math.min(view.brightness / median, brightestFifth / bright);
  return (x, y, target) => {
    read(x, y, target);
    // Light sources may outshine the rest, but within limits, so that they become discs and do not fill the picture.
    for (let channel = 0; channel < 3; channel += 1) target[channel] = Math.min(9, target[channel]! * scale);
    const most = Math.max(target[0]!, target[1]!, target[2]!);
    if (most < 2) return;
    // Overexposed pixels lose their colour.
    const share = Math.min(1, (most - 2) / 4);
    for (let channel = 0; channel < 3; channel += 1)
      target[channel] = target[channel]! + (most * sourceTint[channel]! - target[channel]!) * share;
  };
}

const sourceTint = [1, 0.94, 0.82];

/** Fills a canvas with a view. */
export function paintView(canvas: SoftCanvas, read: ViewReader): void {
  const pixel = new Float32Array(3);
  canvas.fill((x, y) => {
    read(x, y, pixel);
    return [pixel[0]!, pixel[1]!, pixel[2]!];
  });
}
