/** Backdrops under the open sky. */
import { blend, type Colour, fromHex, multiply } from '../colour.ts';
import { createNoise, layered } from '../noise.ts';
import { type Stage, scatter } from './stage.ts';

/** Leaves and gaps of sky between them. */
export function paintGarden(stage: Stage): void {
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

/** Trunks and undergrowth. */
export function paintForest(stage: Stage): void {
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

/** Sky above a horizon, anything below it. */
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

/** Sea and sky. */
export function paintBeach(stage: Stage): void {
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

/** Dunes. */
export function paintDesert(stage: Stage): void {
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

/** Snowed-in firs. */
export function paintSnowfield(stage: Stage): void {
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

/** Clouds over hills. */
export function paintSky(stage: Stage): void {
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
