/** Neon tubes, and points of light for any backdrop. */
import { type Colour, fromHex, scale } from '../colour.ts';
import { type PaintContext, scatter } from './paint-context.ts';

/** Neon tubes. */
export function paintNeon(context: PaintContext): void {
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
export function paintLights(context: PaintContext, amount: number): void {
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
