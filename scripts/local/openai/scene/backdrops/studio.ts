/** Studio and indoor backdrops close behind the surface: paper, a wall, tiles. */
import { fromHex, multiply, scale } from '../colour.ts';
import { createNoise, layered } from '../noise.ts';
import type { PaintContext } from './paint-context.ts';

/** Seamless paper: the wall in the colour of the floor, slightly darker away from the light. */
export function paintSeamless({ canvas, colour, lightX, width }: PaintContext): void {
  canvas.fill((x, y) =>
    scale(colour, 1.09 - 0.05 * Math.min(1, Math.abs(x - lightX) / width) - 0.03 * Math.max(0, 0.4 - y)),
  );
}

/** A painted wall with a pool of light. */
export function paintWall({ canvas, colour, light, lightX, width, seed }: PaintContext): void {
  const noise = createNoise(seed + 5);
  const lit = multiply(colour, light.colour);
  canvas.fill((x, y) => {
    const pool = Math.exp(-(((x - lightX) / (width * 0.62)) ** 2) - ((y - 0.2) / 0.55) ** 2);
    return scale(lit, 0.62 + 0.44 * pool + layered(noise, x * 3, y * 3, 3) * 0.03);
  });
}

/** Paper lit by a spotlight behind the product, with the glow of a softbox at the side. */
export function paintStudio({ canvas, colour, width, edge, lightX, light }: PaintContext): void {
  canvas.fill((x, y) => {
    const spot = Math.exp(-(((x - width / 2) / (width * 0.4)) ** 2) - ((y - edge * 0.85) / 0.42) ** 2);
    return scale(multiply(colour, light.colour), 0.2 + 1.55 * spot);
  });
  canvas.disc(lightX < width / 2 ? -0.05 : width + 0.05, 0.02, 0.62, [0.32, 0.33, 0.35], 0.8, 1, true);
}

/** Glazed tiles. */
export function paintTiles({ canvas, edge, width, light, lightX, random }: PaintContext): void {
  canvas.fill(() => multiply(fromHex('#cfd8d6'), light.colour));
  for (let row = 0; row * 0.09 < edge + 0.1; row += 1) {
    for (let column = 0; column * 0.18 < width + 0.18; column += 1) {
      const left = column * 0.18 - (row % 2) * 0.09;
      const colour = scale(multiply(fromHex('#eaf1ef'), light.colour), 0.82 + 0.12 * random());
      canvas.rectangle(left + 0.004, row * 0.09 + 0.004, left + 0.176, row * 0.09 + 0.086, colour, 0.9);
    }
  }
  canvas.disc(lightX, 0, 0.7, [0.2, 0.2, 0.19], 0.8, 1, true);
}
