/** What every backdrop needs for painting. */
import type { SoftCanvas } from '../canvas.ts';
import type { Colour } from '../colour.ts';
import type { ViewReader } from '../environment/view.ts';
import type { SceneLight } from '../light.ts';
import type { Random } from '../noise.ts';

/** The canvas, its dimensions, and the relevant parts of the description. */
export interface PaintContext {
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
export function scatter(
  context: PaintContext,
  count: number,
  paint: (x: number, y: number, random: Random) => void,
): void {
  for (let index = 0; index < count; index += 1)
    paint(context.random() * context.width, context.random(), context.random);
}
