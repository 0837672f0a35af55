/** The backdrop behind the surface, out of focus: paper, a wall, the place itself, or painted ground under its sky. */

import type { Camera } from './camera.ts';
import { SoftCanvas } from './canvas.ts';
import { blend, type Colour, fromHex, luminance, multiply, scale } from './colour.ts';
import type { SceneDescription } from './description/describe.ts';
import type { BackdropKind } from './description/places.ts';
import { createViewReader, type Panorama, paintView, type ViewReader } from './environment/panorama.ts';
import type { SceneLight } from './light.ts';
import { createNoise, createRandom, layered, type Random } from './noise.ts';

/** The canvas, its dimensions, and the relevant parts of the description. */
interface PaintContext {
  canvas: SoftCanvas;
  /** Width of the picture, row of the surface's edge and row of the horizon, as shares of the height. */
  width: number;
  edge: number;
  horizon: number;
  colour: Colour;
  light: SceneLight;
  /** Reads the place that lights the scene. */
  view: ViewReader;
  random: Random;
  seed: number;
  /** The position of the light, as a share of the height. */
  lightX: number;
}

/** Calls `paint` for random positions on the canvas. */
function scatter(context: PaintContext, count: number, paint: (x: number, y: number) => void): void {
  for (let index = 0; index < count; index += 1) paint(context.random() * context.width, context.random());
}

/** Seamless paper: the wall in the colour of the floor, slightly darker away from the light. */
function paintSeamless({ canvas, colour, lightX, width }: PaintContext): void {
  canvas.fill((x, y) =>
    scale(colour, 1.09 - 0.05 * Math.min(1, Math.abs(x - lightX) / width) - 0.03 * Math.max(0, 0.4 - y)),
  );
}

/** A painted wall with a pool of light. */
function paintWall({ canvas, colour, light, lightX, width, seed }: PaintContext): void {
  const noise = createNoise(seed + 5);
  const lit = multiply(colour, light.colour);
  canvas.fill((x, y) => {
    const pool = Math.exp(-(((x - lightX) / (width * 0.62)) ** 2) - ((y - 0.2) / 0.55) ** 2);
    return scale(lit, 0.62 + 0.44 * pool + layered(noise, x * 3, y * 3, 3) * 0.03);
  });
}

/** Paper lit by a spotlight behind the product, with the glow of a softbox at the side. */
function paintStudio({ canvas, colour, width, edge, lightX, light }: PaintContext): void {
  canvas.fill((x, y) => {
    const spot = Math.exp(-(((x - width / 2) / (width * 0.4)) ** 2) - ((y - edge * 0.85) / 0.42) ** 2);
    return scale(multiply(colour, light.colour), 0.2 + 1.55 * spot);
  });
  canvas.disc(lightX < width / 2 ? -0.05 : width + 0.05, 0.02, 0.62, [0.32, 0.33, 0.35], 0.8, 1, true);
}

/** Glazed tiles. */
function paintTiles({ canvas, edge, width, light, lightX, random }: PaintContext): void {
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
function paintSea(context: PaintContext): void {
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
function paintDunes(context: PaintContext): void {
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
function paintSnowfield(context: PaintContext): void {
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

/** Neon tubes. */
function paintNeon(context: PaintContext): void {
  const { canvas, edge, width } = context;
  canvas.fill(() => fromHex('#130f1f'));
  const tubes = [
    [0.9, 0.05, 0.5],
    [0.05, 0.5, 0.95],
    [0.5, 0.1, 0.95],
  ] as const;
  tubes.forEach((colour, index) => {
    const x = width * (0.16 + index * 0.34);
    canvas.rectangle(x - 0.012, edge * 0.05, x + 0.012, edge * 0.9, scale(colour, 1.9), 0.9, 0.01, true);
    canvas.disc(x, edge * 0.5, 0.42, colour, 0.32, 1, true);
  });
  canvas.blur(0.012);
}

/** Points of light, each a disc as drawn by a wide-open lens. */
function paintLights(context: PaintContext, amount: number): void {
  const { canvas, edge, random } = context;
  const tints: Colour[] = [
    [1.1, 0.66, 0.26],
    [1.15, 0.85, 0.5],
    [0.9, 0.36, 0.2],
    [0.75, 0.8, 0.95],
  ];
  scatter(context, Math.round(36 * amount), (x, y) => {
    canvas.disc(
      x,
      y * edge * 0.96,
      0.01 + random() * 0.026,
      tints[Math.floor(random() ** 1.6 * tints.length)]!,
      0.12 + random() * 0.45 * amount,
      0.16,
      true,
    );
  });
  canvas.blur(0.0035);
}

/** Rows of the canvas; more are not needed because it is out of focus. */
const canvasRows = 256;

interface Painter {
  paint: (context: PaintContext) => void;
  /** Radius of the disc that a point becomes, as a share of the height; 0 where nothing can be out of focus. */
  defocus: number;
}

const painters: Record<BackdropKind, Painter> = {
  seamless: { paint: paintSeamless, defocus: 0 },
  studio: { paint: paintStudio, defocus: 0 },
  wall: { paint: paintWall, defocus: 0 },
  tiles: { paint: paintTiles, defocus: 0.012 },
  view: { paint: ({ canvas, view }) => paintView(canvas, view), defocus: 0.02 },
  sea: { paint: paintSea, defocus: 0.011 },
  snowfield: { paint: paintSnowfield, defocus: 0.012 },
  dunes: { paint: paintDunes, defocus: 0.012 },
  neon: { paint: paintNeon, defocus: 0.01 },
};

/** Backdrops that take only their sky from the panorama. */
const paintedGround: ReadonlySet<BackdropKind> = new Set(['sea', 'snowfield', 'dunes']);

/** Whether the view already contains lamps, or is the open sea, so that no lamps are painted. */
function hasLights({ backdrop }: SceneDescription): boolean {
  return backdrop.view.panorama === 'esplanade' ? backdrop.kind === 'view' : backdrop.kind === 'sea';
}

/** Draws the backdrop of a description. */
export function createBackdrop(
  description: SceneDescription,
  panorama: Panorama,
  light: SceneLight,
  camera: Camera,
  seed: number,
): SoftCanvas {
  const { width, height } = camera;
  const canvas = new SoftCanvas(width, height, Math.max(1, height / canvasRows));
  const span = width / height;
  const horizon = backdropHorizon(camera, description);
  const read = createViewReader(panorama, description.backdrop.view, {
    width: span,
    horizon,
    mirrored: light.mirrored,
    skyOnly: paintedGround.has(description.backdrop.kind),
  });
  const context: PaintContext = {
    canvas,
    width: span,
    edge: camera.edgeRow / height,
    horizon,
    colour: scale(description.backdrop.colour, 2 ** description.light.backdropExposure),
    light,
    view: graded(read, description, light),
    random: createRandom(seed + 77),
    seed,
    lightX: light.direction[0] < 0 ? span * 0.2 : span * 0.8,
  };
  const painter = painters[description.backdrop.kind];
  painter.paint(context);
  if (description.lights > 0.2 && !hasLights(description)) paintLights(context, description.lights);
  if (painter.defocus > 0) {
    canvas.defocus(painter.defocus);
    canvas.blur(0.004);
  }
  return canvas;
}

/**
 * The row of the backdrop's horizon as a share of the height, slightly above the surface's edge. For a camera that
 * looks down it is moved up less than perspective requires, because a place without a horizon would only be a floor.
 */
function backdropHorizon({ edgeRow, height }: Camera, { backdrop, framing }: SceneDescription): number {
  const edge = edgeRow / height;
  // In a room, the floor ends far below the height of the eyes.
  if (framing.inRoom) return edge - 0.34;
  const above = backdrop.kind === 'sea' ? 0.14 : paintedGround.has(backdrop.kind) ? 0.03 : 0.05;
  return Math.max(edge - above, edge * 0.55);
}

/** The view with the light that the description asks for. */
function graded(read: ViewReader, { light: words }: SceneDescription, light: SceneLight): ViewReader {
  const { tint } = light;
  const exposure = 2 ** words.backdropExposure;
  return (x, y, target) => {
    read(x, y, target);
    for (let channel = 0; channel < 3; channel += 1)
      target[channel] = target[channel]! * tint[channel]! * exposure;
  };
}
