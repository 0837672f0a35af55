/** What stands behind the surface, out of focus. */
import { SoftCanvas } from './canvas.ts';
import { blend, type Colour, fromHex, multiply, scale } from './colour.ts';
import type { SceneDescription } from './describe.ts';
import type { SceneLight } from './light.ts';
import { createNoise, createRandom, layered, type Random } from './noise.ts';
import type { BackdropKind } from './words.ts';

interface Stage {
  canvas: SoftCanvas;
  /** Width and the surface's end, as shares of the height. */
  width: number;
  edge: number;
  colour: Colour;
  light: SceneLight;
  random: Random;
  seed: number;
  /** Where the light comes from, as a share of the height. */
  lightX: number;
}

const coarseness = 4;

/** Draws the backdrop of a description. */
export function createBackdrop(
  description: SceneDescription,
  light: SceneLight,
  width: number,
  height: number,
  edgeRow: number,
  seed: number,
): SoftCanvas {
  const canvas = new SoftCanvas(width, height, coarseness);
  const span = width / height;
  const stage: Stage = {
    canvas,
    width: span,
    edge: edgeRow / height,
    colour: scale(description.backdrop.colour, 2 ** description.light.backdropExposure),
    light,
    random: createRandom(seed + 77),
    seed,
    lightX: light.direction[0] < 0 ? span * 0.2 : span * 0.8,
  };
  painters[description.backdrop.kind](stage);
  if (description.lights > 0.2) paintLights(stage, description.lights);
  return canvas;
}

const painters: Record<BackdropKind, (stage: Stage) => void> = {
  sweep: paintSweep,
  wall: paintWall,
  studio: paintStudio,
  garden: paintGarden,
  forest: paintForest,
  beach: paintBeach,
  desert: paintDesert,
  snowfield: paintSnowfield,
  sky: paintSky,
  kitchen: paintKitchen,
  cafe: paintCafe,
  room: paintRoom,
  bathroom: paintBathroom,
  night: paintNight,
  neon: paintNeon,
};

/** Seamless paper: the wall in the colour of the floor, a breath darker away from the light. */
function paintSweep({ canvas, colour, lightX, width }: Stage): void {
  canvas.fill((x, y) =>
    scale(colour, 1.09 - 0.05 * Math.min(1, Math.abs(x - lightX) / width) - 0.03 * Math.max(0, 0.4 - y)),
  );
}

function paintWall({ canvas, colour, light, lightX, width, seed }: Stage): void {
  const noise = createNoise(seed + 5);
  const lit = multiply(colour, light.colour);
  canvas.fill((x, y) => {
    const pool = Math.exp(-(((x - lightX) / (width * 0.62)) ** 2) - ((y - 0.2) / 0.55) ** 2);
    return scale(lit, 0.62 + 0.44 * pool + layered(noise, x * 3, y * 3, 3) * 0.03);
  });
}

/** A grey paper lit by a spot behind the product, with the glow of a softbox at the side. */
function paintStudio({ canvas, colour, width, edge, lightX, light }: Stage): void {
  canvas.fill((x, y) => {
    const spot = Math.exp(-(((x - width / 2) / (width * 0.4)) ** 2) - ((y - edge * 0.85) / 0.42) ** 2);
    return scale(multiply(colour, light.colour), 0.2 + 1.55 * spot);
  });
  canvas.disc(lightX < width / 2 ? -0.05 : width + 0.05, 0.02, 0.62, [0.32, 0.33, 0.35], 0.8, 1, true);
}

function scatter(stage: Stage, count: number, paint: (x: number, y: number, random: Random) => void): void {
  for (let index = 0; index < count; index += 1)
    paint(stage.random() * stage.width, stage.random(), stage.random);
}

function paintGarden(stage: Stage): void {
  const { canvas, edge, light } = stage;
  const sky = fromHex('#f4f0d2');
  canvas.fill((_x, y) =>
    blend(
      multiply(fromHex('#a9bf78'), light.colour),
      fromHex('#55742f'),
      Math.min(1, y / Math.max(0.2, edge)),
    ),
  );
  const greens = ['#2f4a1c', '#48682a', '#6a8c39', '#8fac4c', '#b5c766', '#3c5a2a'].map(fromHex);
  scatter(stage, 46, (x, y, random) => {
    canvas.disc(
      x,
      y * (edge + 0.1),
      0.05 + random() * 0.13,
      greens[Math.floor(random() * greens.length)]!,
      0.55,
      0.7,
    );
  });
  canvas.blur(0.022);
  // Gaps between the leaves: bright discs, more of them towards the light.
  scatter(stage, 46, (x, y, random) => {
    const near = 1 - Math.min(1, Math.abs(x - stage.lightX) / stage.width);
    const radius = 0.012 + random() * 0.03;
    canvas.disc(
      x,
      y * edge * 0.95,
      radius,
      multiply(blend(sky, greens[4]!, random() * 0.7), light.colour),
      (0.15 + 0.5 * near) * (0.4 + random() * 0.6),
      0.22,
    );
  });
  canvas.blur(0.0045);
  canvas.disc(stage.lightX, -0.05, 0.55, multiply([0.75, 0.68, 0.42], light.colour), 0.75, 1, true);
}

function paintForest(stage: Stage): void {
  const { canvas, edge, width, random } = stage;
  canvas.fill((_x, y) => blend(fromHex('#8ea777'), fromHex('#2c3b1f'), Math.min(1, y / Math.max(0.2, edge))));
  for (let trunk = 0; trunk < 11; trunk += 1) {
    const x = random() * width;
    const thickness = 0.015 + random() * 0.04;
    canvas.rectangle(x, -0.1, x + thickness, edge + 0.1, fromHex('#2b2519'), 0.6, 0.012);
  }
  const greens = ['#1f3517', '#35522a', '#56763a', '#86a156'].map(fromHex);
  scatter(stage, 40, (x, y) =>
    canvas.disc(x, y * edge, 0.04 + random() * 0.1, greens[Math.floor(random() * 4)]!, 0.5, 0.6),
  );
  canvas.blur(0.016);
  scatter(stage, 26, (x, y) =>
    canvas.disc(x, y * edge * 0.8, 0.01 + random() * 0.024, fromHex('#e3ebb4'), 0.1 + random() * 0.35, 0.25),
  );
  canvas.blur(0.004);
  canvas.disc(stage.lightX, 0, 0.45, [0.4, 0.42, 0.22], 0.7, 1, true);
}

function paintHorizon(
  stage: Stage,
  sky: [string, string],
  horizon: number,
  below: (y: number) => Colour,
): void {
  const [high, low] = sky.map(fromHex) as [Colour, Colour];
  stage.canvas.fill((_x, y) =>
    y < horizon
      ? multiply(blend(high, low, Math.max(0, y / horizon) ** 1.3), blend([1, 1, 1], stage.light.colour, 0.8))
      : below(y),
  );
}

function paintBeach(stage: Stage): void {
  const { canvas, edge, light, lightX } = stage;
  const horizon = edge * 0.62;
  const sea = multiply(fromHex('#3f93a6'), blend([1, 1, 1], light.colour, 0.6));
  const warm = light.colour[2] < 0.82;
  paintHorizon(stage, warm ? ['#8fb0cf', '#f8d2a0'] : ['#6fb1e0', '#dcecf3'], horizon, (y) => {
    const near = (y - horizon) / Math.max(0.02, edge - horizon);
    return near < 0.82 ? blend(sea, fromHex('#9fd0cc'), near * 0.8) : fromHex('#f1efe6');
  });
  if (warm) canvas.disc(lightX, horizon - 0.05, 0.05, [1.6, 1.25, 0.75], 0.9, 0.5, true);
  canvas.blur(0.014);
  canvas.disc(lightX, warm ? horizon : -0.1, 0.5, warm ? [0.6, 0.32, 0.1] : [0.25, 0.25, 0.22], 0.7, 1, true);
}

function paintDesert(stage: Stage): void {
  const { canvas, edge, width, random } = stage;
  const horizon = edge * 0.6;
  paintHorizon(stage, ['#7fb0d8', '#f0dcc0'], horizon, () => fromHex('#c98f58'));
  for (let dune = 0; dune < 6; dune += 1) {
    canvas.disc(
      random() * width,
      horizon + 0.36 + dune * 0.015,
      0.38,
      blend(fromHex('#d9a56c'), fromHex('#9c6238'), random()),
      0.85,
      0.05,
    );
  }
  canvas.blur(0.012);
}

function paintSnowfield(stage: Stage): void {
  const { canvas, edge, width, random } = stage;
  const horizon = edge * 0.72;
  paintHorizon(stage, ['#a9c4de', '#eef3f7'], horizon, () => fromHex('#e6edf4'));
  for (let tree = 0; tree < 22; tree += 1) {
    const x = random() * width;
    const tall = 0.05 + random() * 0.16;
    for (let level = 0; level < 5; level += 1) {
      canvas.disc(
        x,
        horizon - (tall * level) / 5,
        (tall * 0.26 * (5.4 - level)) / 5,
        blend(fromHex('#4f6670'), fromHex('#b9c8d2'), random() * 0.6),
        0.6,
        0.5,
      );
    }
  }
  canvas.blur(0.013);
  scatter(stage, 46, (x, y) =>
    canvas.disc(x, y * edge, 0.004 + random() * 0.012, [0.95, 0.97, 1], 0.25 + random() * 0.4, 0.5),
  );
}

function paintSky(stage: Stage): void {
  const { canvas, edge, seed, width, random } = stage;
  const noise = createNoise(seed + 9);
  const warm = stage.light.colour[2] < 0.82;
  const [high, low] = (warm ? ['#7d8fb8', '#f6c795'] : ['#5c97cf', '#d7e7f1']).map(fromHex) as [
    Colour,
    Colour,
  ];
  canvas.fill((x, y) => {
    const cloud = Math.max(0, layered(noise, x * 2.2, y * 6, 4) * 1.6);
    return blend(
      blend(high, low, Math.min(1, y / Math.max(0.15, edge))),
      [0.95, 0.94, 0.93],
      Math.min(0.8, cloud),
    );
  });
  for (let hill = 0; hill < 5; hill += 1) {
    canvas.disc(
      random() * width,
      edge + 0.22 + hill * 0.02,
      0.3,
      blend(fromHex('#8ba1b0'), fromHex('#5e7467'), hill / 5),
      0.8,
      0.04,
    );
  }
  canvas.blur(0.012);
}

function paintKitchen(stage: Stage): void {
  const { canvas, edge, width, light, random, lightX } = stage;
  canvas.fill((_x, y) =>
    scale(multiply(fromHex('#e7e0d5'), light.colour), 0.72 + 0.2 * (y / Math.max(edge, 0.2))),
  );
  const top = edge * 0.34;
  for (let cupboard = 0; cupboard * 0.3 < width; cupboard += 1) {
    canvas.rectangle(
      cupboard * 0.3 + 0.008,
      -0.1,
      cupboard * 0.3 + 0.292,
      top,
      multiply(fromHex('#cfc9be'), light.colour),
      0.9,
    );
  }
  canvas.rectangle(0, top + 0.07, width, top + 0.085, fromHex('#8a6443'), 0.9);
  for (let item = 0; item < 9; item += 1) {
    const x = random() * width;
    const colour = [
      fromHex('#b9764f'),
      fromHex('#f2efe9'),
      fromHex('#6f8a66'),
      fromHex('#c9b28a'),
      fromHex('#4d4a46'),
    ][item % 5]!;
    const tall = 0.05 + random() * 0.09;
    canvas.rectangle(x, edge - tall, x + 0.035 + random() * 0.04, edge + 0.02, colour, 0.85);
  }
  canvas.rectangle(lightX - 0.13, -0.1, lightX + 0.13, edge * 0.72, [1.25, 1.25, 1.22], 0.95);
  canvas.blur(0.02);
  canvas.disc(lightX, edge * 0.3, 0.5, multiply([0.35, 0.34, 0.3], light.colour), 0.8, 1, true);
}

function paintCafe(stage: Stage): void {
  const { canvas, edge, width, light, random } = stage;
  canvas.fill((_x, y) =>
    scale(multiply(fromHex('#5b4433'), light.colour), 0.62 + 0.35 * (y / Math.max(edge, 0.2))),
  );
  for (let shelf = 0; shelf < 3; shelf += 1) {
    const y = edge * (0.25 + shelf * 0.27);
    canvas.rectangle(0, y, width, y + 0.012, fromHex('#2c1d13'), 0.8);
    for (let item = 0; item < 12; item += 1) {
      const x = random() * width;
      const colour = [fromHex('#c59a6a'), fromHex('#e7dccb'), fromHex('#7d3f2a'), fromHex('#3f4f49')][
        item % 4
      ]!;
      canvas.rectangle(x, y - 0.03 - random() * 0.05, x + 0.02 + random() * 0.03, y, colour, 0.7);
    }
  }
  canvas.blur(0.018);
  for (let lamp = 0; lamp < 10; lamp += 1) {
    canvas.disc(
      random() * width,
      random() * edge * 0.8,
      0.014 + random() * 0.026,
      [1.25, 0.82, 0.4],
      0.3 + random() * 0.5,
      0.18,
      true,
    );
  }
  canvas.blur(0.004);
}

function paintRoom(stage: Stage): void {
  const { canvas, edge, width, light, colour, lightX, random } = stage;
  canvas.fill((x) =>
    scale(multiply(colour, light.colour), 0.95 - 0.4 * Math.min(1, Math.abs(x - lightX) / width)),
  );
  canvas.rectangle(lightX - 0.16, -0.1, lightX + 0.16, edge * 0.8, [1.3, 1.3, 1.26], 0.95);
  canvas.rectangle(lightX - 0.006, -0.1, lightX + 0.006, edge * 0.8, scale(colour, 0.8), 0.9);
  // A plant in the far corner gives the room a scale.
  const plantX = lightX < width / 2 ? width * 0.86 : width * 0.14;
  for (let leaf = 0; leaf < 14; leaf += 1) {
    canvas.disc(
      plantX + (random() - 0.5) * 0.2,
      edge * (0.35 + random() * 0.5),
      0.02 + random() * 0.035,
      blend(fromHex('#4b6b3f'), fromHex('#8aa56c'), random()),
      0.7,
      0.5,
    );
  }
  canvas.blur(0.022);
  canvas.disc(lightX, edge * 0.3, 0.6, multiply([0.3, 0.28, 0.24], light.colour), 0.8, 1, true);
}

function paintBathroom(stage: Stage): void {
  const { canvas, edge, width, light, lightX } = stage;
  canvas.fill(() => multiply(fromHex('#dde6e4'), light.colour));
  for (let row = 0; row * 0.09 < edge + 0.1; row += 1) {
    for (let column = 0; column * 0.18 < width + 0.18; column += 1) {
      const left = column * 0.18 - (row % 2) * 0.09;
      canvas.rectangle(
        left + 0.004,
        row * 0.09 + 0.004,
        left + 0.176,
        row * 0.09 + 0.086,
        scale(multiply(fromHex('#eaf1ef'), light.colour), 0.94 + 0.1 * stage.random()),
        0.9,
      );
    }
  }
  canvas.blur(0.008);
  canvas.disc(lightX, 0, 0.7, [0.2, 0.2, 0.19], 0.8, 1, true);
}

function paintNight(stage: Stage): void {
  const { canvas, edge, colour } = stage;
  canvas.fill((_x, y) =>
    blend(
      blend(fromHex('#10131f'), scale(colour, 0.12), 0.4),
      fromHex('#2b2430'),
      Math.min(1, y / Math.max(0.2, edge)),
    ),
  );
}

function paintNeon(stage: Stage): void {
  const { canvas, edge, width } = stage;
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

/** Points of light, each a disc as a wide-open lens draws it. */
function paintLights(stage: Stage, amount: number): void {
  const { canvas, edge, random } = stage;
  const tints: Colour[] = [
    [1.1, 0.66, 0.26],
    [1.15, 0.85, 0.5],
    [0.9, 0.36, 0.2],
    [0.75, 0.8, 0.95],
  ];
  scatter(stage, Math.round(36 * amount), (x, y) => {
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
