/** Backdrops of rooms. */
import { blend, fromHex, multiply, scale } from '../colour.ts';
import type { Stage } from './stage.ts';

/** Cupboards, a board with things on it, a window. */
export function paintKitchen(stage: Stage): void {
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

/** Shelves and lamps. */
export function paintCafe(stage: Stage): void {
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

/** A window and a plant. */
export function paintRoom(stage: Stage): void {
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

/** Glazed tiles. */
export function paintBathroom(stage: Stage): void {
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
