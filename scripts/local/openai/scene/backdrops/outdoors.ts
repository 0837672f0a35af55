/** Outdoor backdrops whose ground is in no panorama: the sky is real, the ground is painted. */
import { blend, type Colour, fromHex, luminance, multiply, scale } from '../colour.ts';
import { createNoise, layered } from '../noise.ts';
import { type PaintContext, scatter } from './paint-context.ts';

/** Fills the canvas with the sky above the horizon and with `below` under it. */
function fillBelowSky(context: PaintContext, below: (x: number, y: number, sky: Colour) => Colour): void {
  const pixel = new Float32Array(3);
  context.canvas.fill((x, y) => {
    // The lowest part of the sky is skipped, because it contains the panorama's own shore.
    const mirroredY = y < context.horizon ? y : 2 * context.horizon - y;
    context.view(x, Math.min(mirroredY, context.horizon - 0.012), pixel);
    const sky: Colour = [pixel[0]!, pixel[1]!, pixel[2]!];
    return y < context.horizon ? sky : below(x, y, sky);
  });
}

/** The sea up to the surface's edge. The reflection of the sky grows stronger at grazing angles. */
export function paintSea(context: PaintContext): void {
  const { canvas, edge, horizon, light, seed } = context;
  const noise = createNoise(seed + 21);
  const deep = multiply(fromHex('#1f6f86'), blend([1, 1, 1], light.colour, 0.7));
  const shallow = multiply(fromHex('#8fcfca'), blend([1, 1, 1], light.colour, 0.7));
  const brightness = 0.4 + 0.6 * Math.min(1, light.exposure);
  fillBelowSky(context, (x, y, sky) => {
    const near = Math.min(1, (y - horizon) / Math.max(0.02, edge - horizon));
    const waves = layered(noise, x * 9, (y - horizon) * (70 - 45 * near), 3);
    const mirror = 0.62 - 0.4 * near + waves * 0.3;
    const water = scale(blend(deep, shallow, near ** 2 * 0.75), brightness);
    const foam = near > 0.86 ? Math.max(0, 0.55 + waves) * ((near - 0.86) / 0.14) : 0;
    const seen = blend(water, scale(sky, 0.82), Math.min(0.85, Math.max(0.08, mirror)));
    return blend(seen, scale(multiply([0.93, 0.95, 0.95], light.colour), brightness), Math.min(0.8, foam));
  });
  canvas.blur(0.004);
}

/** Dunes, one behind another. */
export function paintDunes(context: PaintContext): void {
  const { canvas, edge, width, horizon, random, light } = context;
  const sand = multiply(fromHex('#cf9a63'), blend([1, 1, 1], light.colour, 0.7));
  fillBelowSky(context, () => sand);
  for (let dune = 0; dune < 6; dune += 1) {
    const share = dune / 5;
    canvas.disc(
      random() * width,
      horizon + (edge - horizon) * share * 0.7 + 0.4,
      0.4 + random() * 0.02,
      blend(sand, dune % 2 === 0 ? fromHex('#e3b784') : fromHex('#9c6238'), 0.35 + random() * 0.4),
      0.85,
      0.04,
    );
  }
}

/** Fir trees in the snow. */
export function paintSnowfield(context: PaintContext): void {
  const { canvas, width, horizon, random, light } = context;
  const snow = multiply(fromHex('#e6edf4'), blend([1, 1, 1], light.colour, 0.5));
  fillBelowSky(context, (_x, _y, sky) => blend(snow, scale(snow, luminance(sky)), 0.25));
  for (let tree = 0; tree < 34; tree += 1) {
    const x = random() * width;
    const near = random();
    const tall = 0.06 + near * 0.24;
    const foot = horizon + 0.01 + near * 0.05;
    const needles = blend(fromHex('#6f8792'), fromHex('#26383c'), near);
    for (let level = 0; level < 9; level += 1) {
      canvas.disc(
        x,
        foot - (tall * level) / 9,
        (tall * 0.2 * (9.4 - level)) / 9,
        random() > 0.35 ? needles : fromHex('#dfe7ee'),
        0.6,
        0.5,
      );
    }
  }
  canvas.blur(0.003);
  scatter(context, 60, (x, y) =>
    canvas.disc(x, y * context.edge, 0.003 + random() * 0.009, [0.95, 0.97, 1], 0.2 + random() * 0.4, 0.5),
  );
}
