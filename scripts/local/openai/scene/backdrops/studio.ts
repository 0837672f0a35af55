/** Backdrops of a studio: seamless paper, a wall, a lit grey. */
import { multiply, scale } from '../colour.ts';
import { createNoise, layered } from '../noise.ts';
import type { Stage } from './stage.ts';

/** Seamless paper: the wall in the colour of the floor, a breath darker away from the light. */
export function paintSweep({ canvas, colour, lightX, width }: Stage): void {
  canvas.fill((x, y) =>
    scale(colour, 1.09 - 0.05 * Math.min(1, Math.abs(x - lightX) / width) - 0.03 * Math.max(0, 0.4 - y)),
  );
}

/** A painted wall with a pool of light. */
export function paintWall({ canvas, colour, light, lightX, width, seed }: Stage): void {
  const noise = createNoise(seed + 5);
  const lit = multiply(colour, light.colour);
  canvas.fill((x, y) => {
    const pool = Math.exp(-(((x - lightX) / (width * 0.62)) ** 2) - ((y - 0.2) / 0.55) ** 2);
    return scale(lit, 0.62 + 0.44 * pool + layered(noise, x * 3, y * 3, 3) * 0.03);
  });
}

/** A grey paper lit by a spot behind the product, with the glow of a softbox at the side. */
export function paintStudio({ canvas, colour, width, edge, lightX, light }: Stage): void {
  canvas.fill((x, y) => {
    const spot = Math.exp(-(((x - width / 2) / (width * 0.4)) ** 2) - ((y - edge * 0.85) / 0.42) ** 2);
    return scale(multiply(colour, light.colour), 0.2 + 1.55 * spot);
  });
  canvas.disc(lightX < width / 2 ? -0.05 : width + 0.05, 0.02, 0.62, [0.32, 0.33, 0.35], 0.8, 1, true);
}
