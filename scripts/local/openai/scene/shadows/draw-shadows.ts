/** Draws the shadows: how dark they are at each pixel. */
import { smoothStep } from '../../cutout/matte.ts';
import type { Frame } from '../frame.ts';
import type { SceneLight } from '../light.ts';
import type { ShadowPlanes } from './find-shadows.ts';

/** Where shadows may fall. */
export interface ShadowLimits {
  /** No shadow falls on the backdrop above this row, because it is far away. */
  firstRow: number;
  /** Shadows fade out before the picture's edge. */
  endsInside: boolean;
}

/** The darkness of a full cast shadow; hard light means less ambient light in it. */
function castStrength({ hardness }: SceneLight): number {
  return 0.44 + 0.3 * hardness;
}

/** The darkness where a product touches the surface. */
const contactStrength = 0.86;

/** Darkens a frame by the shadows. */
export function drawShadows(
  frame: Frame,
  shadows: ShadowPlanes,
  light: SceneLight,
  { firstRow, endsInside }: ShadowLimits,
): void {
  const { width, height, data } = frame;
  const margin = Math.min(width, height) * 0.09;
  for (let y = 0; y < height; y += 1) {
    const onSurface = Math.min(1, Math.max(0, (y - firstRow) / (height * 0.03)));
    if (onSurface === 0) continue;
    for (let x = 0; x < width; x += 1) {
      const toEdge = Math.min(x, y, width - 1 - x, height - 1 - y);
      const share = onSurface * (endsInside ? smoothStep(0.15, 1, toEdge / margin) : 1);
      const cast = sample(shadows.cast, shadows, x, y) * castStrength(light) * share;
      const contact = sample(shadows.contact, shadows, x, y) * contactStrength * share;
      if (cast + contact < 0.004) continue;
      const index = (y * width + x) * 3;
      for (let channel = 0; channel < 3; channel += 1) {
        const shade = 1 - cast * (1 - 0.12 * (light.shade[channel]! - 1));
        data[index + channel] = data[index + channel]! * shade * (1 - contact);
      }
    }
  }
}

/** The darkness of the shadow at a pixel of the full picture, 0–1; for pictures without a background. */
export function shadowAt(shadows: ShadowPlanes, light: SceneLight, x: number, y: number): number {
  const cast = sample(shadows.cast, shadows, x, y) * castStrength(light);
  return 1 - (1 - cast) * (1 - sample(shadows.contact, shadows, x, y) * contactStrength);
}

function sample(plane: Float32Array, planes: ShadowPlanes, x: number, y: number): number {
  const { width, height, coarseness } = planes;
  const column = Math.min(width - 1.001, x / coarseness);
  const row = Math.min(height - 1.001, y / coarseness);
  const left = column | 0;
  const top = row | 0;
  const fx = column - left;
  const fy = row - top;
  const index = top * width + left;
  const upper = plane[index]! + (plane[index + 1]! - plane[index]!) * fx;
  const lower = plane[index + width]! + (plane[index + width + 1]! - plane[index + width]!) * fx;
  return upper + (lower - upper) * fy;
}
